/// What the clients run that have no command line for a request.
///
/// Host and port of the proxy come first, then the host that is asked.
enum TrustScripts {
    static let python = """
        import ssl, sys, urllib.error, urllib.request
        where, port, host = sys.argv[1:4]
        proxy = "http://%s:%s" % ("[%s]" % where if ":" in where else where, port)
        try:
            handlers = [urllib.request.ProxyHandler({"https": proxy}), urllib.request.HTTPSHandler(context=ssl.create_default_context())]
            print("answer", urllib.request.build_opener(*handlers).open("https://%s/" % host, timeout=8).status)
        except urllib.error.HTTPError as error: print("answer", error.code)
        except Exception as error: print("failed", error)
        """

    static let requests = """
        import sys
        try: import requests
        except ImportError:
            print("absent")
            sys.exit(0)
        where, port, host = sys.argv[1:4]
        proxy = "http://%s:%s" % ("[%s]" % where if ":" in where else where, port)
        try: print("answer", requests.get("https://%s/" % host, proxies={"https": proxy}, timeout=8).status_code)
        except Exception as error: print("failed", error)
        """

    static let node = """
        const http = require("http"), tls = require("tls");
        const [where, port, host] = process.argv.slice(-3);
        const end = text => { console.log(text); process.exit(0); };
        const ask = http.request({ host: where, port, method: "CONNECT", path: host + ":443", headers: { host: host + ":443" } });
        ask.on("error", error => end("failed proxy " + (error.code || error.message)));
        ask.on("connect", (answer, socket) => {
            if (answer.statusCode !== 200) end("failed proxy answered " + answer.statusCode);
            const secure = tls.connect({ socket, servername: host }, () => {
                if (!secure.authorized) end("failed " + secure.authorizationError);
                secure.write("GET / HTTP/1.1\\r\\nHost: " + host + "\\r\\nConnection: close\\r\\n\\r\\n");
                let text = "";
                secure.on("data", data => {
                    text += data;
                    const status = /^HTTP.1.[01] ([0-9]+)/.exec(text);
                    if (status) end("answer " + status[1]);
                });
                secure.on("end", () => end("failed no answer"));
            });
            secure.on("error", error => end("failed " + (error.code || "") + " " + error.message));
        });
        ask.end();
        """

    static let java = """
        import java.net.*;
        import javax.net.ssl.*;
        public class Check {
            public static void main(String[] words) {
                try {
                    Proxy proxy = new Proxy(Proxy.Type.HTTP, new InetSocketAddress(words[0], Integer.parseInt(words[1])));
                    HttpsURLConnection call =
                        (HttpsURLConnection) URI.create("https://" + words[2] + "/").toURL().openConnection(proxy);
                    call.setConnectTimeout(8000);
                    call.setReadTimeout(8000);
                    System.out.println("answer " + call.getResponseCode());
                } catch (Exception error) {
                    for (Throwable next = error; next != null; next = next.getCause()) System.out.println("failed " + next);
                }
            }
        }

        """

    static let go = """
        package main

        import (
            "bufio"
            "crypto/tls"
            "fmt"
            "net"
            "os"
            "strings"
            "time"
        )

        func main() {
            host := os.Args[3]
            line, err := net.DialTimeout("tcp", net.JoinHostPort(os.Args[1], os.Args[2]), 8*time.Second)
            if err != nil {
                fmt.Println("failed proxy", err)
                return
            }
            line.SetDeadline(time.Now().Add(8 * time.Second))
            fmt.Fprintf(line, "CONNECT %s:443 HTTP/1.1\\r\\nHost: %s:443\\r\\n\\r\\n", host, host)
            answer := bufio.NewReader(line)
            first, _ := answer.ReadString('\\n')
            if !strings.Contains(first, " 200") {
                fmt.Println("failed proxy answered", first)
                return
            }
            for next := first; err == nil && strings.TrimSpace(next) != ""; {
                next, err = answer.ReadString('\\n')
            }
            secure := tls.Client(line, &tls.Config{ServerName: host})
            if err := secure.Handshake(); err != nil {
                fmt.Println("failed", err)
                return
            }
            fmt.Fprintf(secure, "GET / HTTP/1.1\\r\\nHost: %s\\r\\nConnection: close\\r\\n\\r\\n", host)
            status, _ := bufio.NewReader(secure).ReadString('\\n')
            if words := strings.Fields(status); len(words) > 1 {
                fmt.Println("answer", words[1])
                return
            }
            fmt.Println("failed no answer")
        }

        """

    static let ruby = """
        require "net/http"
        require "openssl"
        where, port, host = ARGV.last(3)
        begin
          call = Net::HTTP.new(host, 443, where, port.to_i)
          call.use_ssl = true
          call.open_timeout = call.read_timeout = 8
          puts "answer #{call.get("/").code}"
        rescue Net::ProtocolError => error
          puts "failed proxy #{error.message}"
        rescue StandardError => error
          puts "failed #{error.class} #{error.message}"
        end
        """

    static let php = """
        [$where, $port, $host] = array_slice($argv, -3);
        if (!in_array("https", stream_get_wrappers())) { echo "absent"; exit(0); }
        $said = [];
        set_error_handler(function ($number, $text) use (&$said) { $said[] = $text; return true; });
        $proxy = "tcp://" . (strpos($where, ":") === false ? $where : "[$where]") . ":" . $port;
        $http = ["proxy" => $proxy, "request_fulluri" => false, "timeout" => 8, "ignore_errors" => true];
        $text = file_get_contents("https://$host/", false, stream_context_create(["http" => $http]));
        if ($text !== false) {
            $head = function_exists("http_get_last_response_headers") ? http_get_last_response_headers() : $http_response_header;
            echo "answer ", explode(" ", $head[0])[1], "\\n";
        } else {
            // The last one only says that it came to nothing, and blames the proxy for it.
            if (count($said) > 1) array_pop($said);
            echo "failed ", implode("\\n", $said), "\\n";
        }
        """
}
