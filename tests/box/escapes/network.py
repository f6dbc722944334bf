"""After a way to talk to anybody outside: every family of sockets, names, and servers that really listen."""

from __future__ import annotations

from tests.box.escapes.attack import Attack

ATTACKS = (
    Attack(
        "call a server on this computer", "attempt(lambda: socket.create_connection(('127.0.0.1', host['tcp']), 2))"
    ),
    Attack("call it over IPv6", "attempt(lambda: socket.create_connection(('::1', host['tcp6']), 2))", "denied"),
    Attack(
        "call it by the network's address", "attempt(lambda: socket.create_connection((host['lan'], host['tcp']), 2))"
    ),
    Attack(
        "call the box server itself",
        "import urllib.request; attempt(lambda: urllib.request.urlopen(host['url'] + '/health', timeout=2).status)",
        "denied",
    ),
    Attack("call far away", "[attempt(lambda: socket.create_connection((a, 53), 2)) for a in ('1.1.1.1', '8.8.8.8')]"),
    Attack(
        "ask the cloud who we are",
        "attempt(lambda: socket.create_connection(('169.254.169.254', 80), 2))",
        "denied",
    ),
    Attack(
        "send without connecting",
        """
        for address in ('127.0.0.1', host['lan'], '255.255.255.255', '224.0.0.1'):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                sender.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
                attempt(lambda: sender.sendto(b'secret', (address, host['udp'])))
        """,
    ),
    Attack("resolve a name", "attempt(lambda: socket.getaddrinfo('secret.example.org', 80))", "denied"),
    Attack(
        "ask a name server directly",
        """
        question = bytes.fromhex('123401000001000000000000') + b'\\6secret\\7example\\3org\\0\\0\\1\\0\\1'
        for server in ('1.1.1.1', '127.0.0.53', '10.0.0.2'):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                sender.settimeout(1)
                attempt(lambda: (sender.sendto(question, (server, 53)), sender.recv(99)))
        """,
        "denied",
    ),
    Attack(
        "an abstract socket of the host",
        "attempt(lambda: socket.socket(socket.AF_UNIX).connect('\\0' + host['abstract']))",
        "denied",
    ),
    Attack("a socket in the host's folders", "attempt(lambda: socket.socket(socket.AF_UNIX).connect(host['unix']))"),
    Attack(
        "a socket by way of a link",
        "os.symlink(host['unix'], 'door'); attempt(lambda: socket.socket(socket.AF_UNIX).connect('door'))",
        "denied",
    ),
    Attack(
        "the virtual machine's own line to its host",
        "attempt(lambda: socket.socket(40, socket.SOCK_STREAM).connect((2, 22)))",
        "denied",
    ),
    Attack(
        "raw packets",
        """
        attempt(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)))
        attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
        attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP))
        """,
        "denied",
    ),
    Attack(
        "every other family of sockets",
        """
        made = set()
        for family in range(60):
            for kind in (1, 2, 3, 5):
                try:
                    socket.socket(family, kind).close()
                    made.add(family)
                except OSError:
                    pass
        print('families', made <= {1, 2, 10, 16})
        """,
        "families True",
    ),
    Attack(
        "bring up a line of one's own",
        """
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
            attempt(lambda: fcntl.ioctl(control, 0x8914, struct.pack('16sH14x', b'lo', 0x41)))
        attempt(lambda: open('/dev/net/tun', 'r+b'))
        print(socket.if_nameindex())
        """,
        "[(1, 'lo')]",
    ),
    Attack(
        "wait to be called",
        """
        with socket.socket() as door:
            door.bind(('0.0.0.0', 8080))
            door.listen()
            door.settimeout(1)
            attempt(door.accept)
        """,
    ),
)
