// Node's https module, pinned in checkServerIdentity the way Node's documentation of https.request() shows.
'use strict';
const crypto = require('crypto'), fs = require('fs'), http = require('http'), https = require('https'), tls = require('tls');
const { URL: address, CAFILE, PIN, PINPROOF_PROXY, TIMEOUT } = process.env;
const url = new URL(address);

const options = { ca: fs.readFileSync(CAFILE), servername: url.hostname, agent: false };
if (PIN) {
  options.checkServerIdentity = (host, certificate) => {
    const wrongName = tls.checkServerIdentity(host, certificate);
    if (wrongName) return wrongName;
    const key = new crypto.X509Certificate(certificate.raw).publicKey.export({ type: 'spki', format: 'der' });
    const pin = crypto.createHash('sha256').update(key).digest('base64');
    return pin === PIN ? undefined : new Error('pin mismatch');
  };
}

function end(status, words) {
  console.error(words);
  // Sockets are written asynchronously: leave time for an alert to go out, as in a program that lives on.
  setTimeout(() => process.exit(status), 200);
}

function failed(error) {
  const refused = /pin mismatch|CERT|SIGNATURE|SELF_SIGNED|ISSUER|ALTNAME|SSL|EPROTO/.test(`${error.code} ${error.message}`);
  end(refused ? 1 : 2, `${error.code || ''} ${error.message}`);
}

function request(socket) {
  https.get(url, socket ? { ...options, socket } : options, (response) => {
    response.pipe(process.stdout);
    response.on('end', () => end(0, `status ${response.statusCode}`));
  }).on('error', failed);
}

setTimeout(() => failed(new Error('timed out')), Number(TIMEOUT) * 1000).unref();
if (PINPROOF_PROXY) {
  const proxy = new URL(PINPROOF_PROXY);
  http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: `${url.hostname}:${url.port || 443}` })
    .on('connect', (response, socket) => {
      if (response.statusCode === 200) request(socket);
      else failed(new Error(`the proxy answered ${response.statusCode}`));
    }).on('error', failed).end();
} else {
  request();
}
