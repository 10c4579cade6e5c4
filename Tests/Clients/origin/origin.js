// The server behind `serve`: every name's genuine certificate by SNI, a short answer that names the host.
'use strict';
const fs = require('fs'), https = require('https'), http2 = require('http2'), net = require('net'), path = require('path'), tls = require('tls');
const { X509Certificate } = require('crypto');
const [dir, ...names] = process.argv.slice(2);

const read = (name) => fs.readFileSync(path.join(dir, name));
const material = (name) => ({ cert: read(`${name}.chain.pem`), key: read(`${name}.key`) });
const contexts = new Map(names.map((name) => [name, tls.createSecureContext(material(name))]));

const options = {
  ...material(names[0]),
  minVersion: 'TLSv1.2',
  SNICallback: (name, done) => done(contexts.has(name) ? null : new Error(`no such name: ${name}`), contexts.get(name)),
};

// Stapled for whoever asks; the certificate is the one that SNI chose.
const staples = new Map(names.map((name) => [new X509Certificate(read(`${name}.pem`)).fingerprint256, read(`${name}.ocsp`)]));

function staple(certificate, issuer, done) {
  done(null, staples.get(new X509Certificate(certificate).fingerprint256) ?? null);
}

function answer(request, response) {
  const host = request.authority || request.headers.host;
  // A configuration that brings the pins along.
  if (request.url === '/pins') {
    return response.end(JSON.stringify(Object.fromEntries(names.map((name) => [name, `sha256/${read(`${name}.pin`)}`.trim()]))));
  }
  response.end(`genuine ${host} ${request.url}\n`);
}

function web(maxVersion) {
  return http2.createSecureServer({ ...options, maxVersion, allowHTTP1: true }, answer);
}

function old() {
  return https.createServer({ ...options, ALPNProtocols: ['http/1.1'] }, answer);
}

function banner() {
  return tls.createServer(options, (socket) => {
    socket.on('error', () => {});
    socket.write('220 genuine banner service ready\r\n');
    socket.once('data', () => socket.end('250 pleased to meet you, and good-bye\r\n'));
  });
}

// The server speaks first, and there is no TLS before STARTTLS.
function mail() {
  const secure = web('TLSv1.3');
  return net.createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 ready\r\n');
    socket.once('readable', () => {
      if (String(socket.read()) !== 'STARTTLS\r\n') return socket.destroy();
      socket.write('220 go ahead\r\n');
      secure.emit('connection', socket);
    });
  });
}

// A mail server with TLS on offer, which takes letters without it as well.
function smtp() {
  const mail = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 ready\r\n');
    letters(socket, '250-ready\r\n250 STARTTLS\r\n', () => {
      socket.removeAllListeners('data');
      socket.write('220 go ahead\r\n');
      const secure = new tls.TLSSocket(socket, { ...options, isServer: true });
      secure.on('error', () => {});
      letters(secure, '250 ready\r\n', () => secure.destroy());
    });
  });
  return mail;
}

function letters(socket, extensions, startTLS) {
  let waiting = '';
  socket.on('data', (bytes) => {
    waiting += bytes.toString('latin1');
    for (let end; (end = waiting.indexOf('\r\n')) >= 0; ) {
      const line = waiting.slice(0, end);
      waiting = waiting.slice(end + 2);
      const word = line.split(' ')[0].toUpperCase();
      if (word === 'EHLO') socket.write(extensions);
      else if (word === 'STARTTLS') return startTLS();
      else if (word === 'MAIL') socket.write(`250 genuine ${names[0]} takes it\r\n`);
      else if (word === 'QUIT') socket.end('221 good-bye\r\n');
      else socket.write('500 what?\r\n');
    }
  });
}

// The web, and TLS after a word in the clear: a client that begins with STARTTLS is told to go ahead.
function starttls() {
  const secure = web('TLSv1.3');
  return net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('readable', () => {
      const first = socket.read();
      if (first === null) return;
      if (first[0] === 0x16) socket.unshift(first);
      else if (first.toString() === 'STARTTLS\r\n') socket.write('220 go ahead\r\n');
      else return socket.destroy();
      secure.emit('connection', socket);
    });
  });
}

const servers = {
  any: web('TLSv1.3'), tls12: web('TLSv1.2'), http1: old(), banner: banner(), starttls: starttls(), mail: mail(), smtp: smtp(),
  own: web('TLSv1.3'),
};
const ports = {};
for (const [name, server] of Object.entries(servers)) {
  // A refused client is what these tests are about, not a fault of the origin.
  server.on('tlsClientError', () => {}).on('sessionError', () => {}).on('OCSPRequest', staple);
  server.listen(0, '127.0.0.1', () => {
    ports[name] = server.address().port;
    if (Object.keys(ports).length < Object.keys(servers).length) return;
    // Renamed into place: whoever sees the file sees all of it.
    fs.writeFileSync(path.join(dir, 'ready.new'), JSON.stringify(ports));
    fs.renameSync(path.join(dir, 'ready.new'), path.join(dir, 'ready.json'));
  });
}
process.stdin.on('end', () => process.exit(0)).on('error', () => process.exit(0)).resume();
