%% Erlang's own TLS (ssl), which verifies by itself; a leaf that differs from the pinned one is refused by verify_fun.
%% Over TLS 1.3 it says of a wrong signature, under keys of its own, what nobody else can read.
env(Name) -> case os:getenv(Name) of false -> ""; Value -> Value end.

main(_) ->
    logger:set_primary_config(level, none),
    {ok, _} = application:ensure_all_started(ssl),
    #{host := Host, path := Path} = Url = uri_string:parse(env("URL")),
    Port = maps:get(port, Url, 443),
    Timeout = 1000 * list_to_integer(env("TIMEOUT")),
    Socket = tunnel(Host, Port, Timeout),
    {ok, Roots} = file:read_file(env("CAFILE")),
    Options = [
        {verify, verify_peer}, {cacerts, certificates(Roots)}, {server_name_indication, Host}, {depth, 5},
        {versions, ['tlsv1.3', 'tlsv1.2']},
        {customize_hostname_check, [{match_fun, public_key:pkix_verify_hostname_match_fun(https)}]}
        | pin(env("PIN_CERT"))
    ],
    case ssl:connect(Socket, Options, Timeout) of
        {ok, Tls} ->
            ok = ssl:send(Tls, ["GET ", Path, " HTTP/1.1\r\nHost: ", Host, "\r\nConnection: close\r\n\r\n"]),
            halt(answer(Tls, Timeout, <<>>));
        {error, Reason} ->
            io:format(standard_error, "~p~n", [Reason]),
            % The alert is written by a process of its own.
            timer:sleep(200),
            halt(1)
    end.

tunnel(Host, Port, Timeout) ->
    case env("PINPROOF_PROXY") of
        "" -> connect(Host, Port, Timeout);
        Proxy -> through(uri_string:parse(Proxy), Host, Port, Timeout)
    end.

connect(Host, Port, Timeout) ->
    {ok, Socket} = gen_tcp:connect(Host, Port, [binary, {active, false}, {packet, raw}], Timeout),
    Socket.

through(#{host := Proxy, port := At}, Host, Port, Timeout) ->
    Socket = connect(Proxy, At, Timeout),
    Name = [Host, ":", integer_to_list(Port)],
    ok = gen_tcp:send(Socket, ["CONNECT ", Name, " HTTP/1.1\r\nHost: ", Name, "\r\n\r\n"]),
    {ok, <<"HTTP/1.", _, " 200", _/binary>>} = gen_tcp:recv(Socket, 0, Timeout),
    Socket.

certificates(Pem) -> [Der || {'Certificate', Der, not_encrypted} <- public_key:pem_decode(Pem)].

pin("") -> [];
pin(File) ->
    {ok, Pem} = file:read_file(File),
    [Pinned | _] = certificates(Pem),
    Verify = fun
        (_, {bad_cert, _} = Reason, _) -> {fail, Reason};
        (_, {extension, _}, State) -> {unknown, State};
        (_, valid, State) -> {valid, State};
        (Leaf, valid_peer, State) ->
            case public_key:pkix_encode('OTPCertificate', Leaf, otp) of
                Pinned -> {valid, State};
                _ -> {fail, pin_mismatch}
            end
    end,
    [{verify_fun, {Verify, []}}].

answer(Tls, Timeout, Before) ->
    case ssl:recv(Tls, 0, Timeout) of
        {ok, Data} -> answer(Tls, Timeout, <<Before/binary, Data/binary>>);
        {error, _} ->
            io:format("~s~n", [Before]),
            case Before of <<"HTTP/1.1 200", _/binary>> -> 0; _ -> 2 end
    end.
