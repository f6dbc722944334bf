"""After us, who fetch what a script left: links, pipes, names and sizes that would make us read or write elsewhere."""

from __future__ import annotations

from tests.box.escapes.attack import Attack

OUT = "outputs/report.csv"

ATTACKS = (
    Attack(
        "a link to a file of the host",
        "os.makedirs('outputs'); os.symlink(host['canary'], 'outputs/report.csv')",
        fetched=(OUT,),
    ),
    Attack(
        "a folder that is a link to the host's",
        "os.symlink(host['folder'], 'outputs'); os.symlink('/', 'root')",
        fetched=("outputs/canary", "root/etc/hostname", "outputs/../canary"),
    ),
    Attack(
        "a link through /proc",
        "for name, to in (('up', 'root'), ('env', 'environ'), ('in', 'fd/0')): os.symlink(f'/proc/self/{to}', name)",
        fetched=("up/etc/shadow", "env", "in"),
    ),
    Attack("a chain of links", "[os.symlink(f'l{n + 1}', f'l{n}') for n in range(60)]", fetched=("l0",)),
    Attack(
        "a file that becomes a link while it is fetched",
        """
        os.makedirs('outputs')
        open('outputs/a', 'w').write('mine')
        os.symlink(host['canary'], 'outputs/b')
        number = 316 if os.uname().machine == 'x86_64' else 276
        until = time.time() + 1.5
        while time.time() < until:
            libc.syscall(number, -100, b'outputs/a', -100, b'outputs/b', 2)
        """,
        fetched=("outputs/a", "outputs/b"),
    ),
    Attack("a pipe that never ends", "os.makedirs('outputs'); os.mkfifo('outputs/report.csv')", fetched=(OUT,)),
    Attack("an endless file", "os.makedirs('outputs'); os.symlink('/dev/zero', 'outputs/report.csv')", fetched=(OUT,)),
    Attack(
        "a file of a terabyte that takes no room",
        "os.makedirs('outputs'); attempt(lambda: os.truncate(os.open('outputs/report.csv', 66, 0o600), 290 << 20))",
        fetched=(OUT,),
    ),
    Attack(
        "names that mean something else",
        """
        for name in ('a\\nb', '-rf', '\\u202ecsv.exe', 'x' * 255, '..\\\\..\\\\x', "'; rm -rf ~; '", '$(id)', '*'):
            attempt(lambda: open(name, 'w').write('1'))
        """,
        fetched=("a\nb", "-rf", "'; rm -rf ~; '", "..\\..\\x"),
    ),
    Attack(
        "folders deeper than a path can say",
        """
        print('tried', flush=True)
        for _ in range(1200):
            os.mkdir('d' * 50)
            os.chdir('d' * 50)
        """,
    ),
    Attack(
        "folders nobody may enter",
        "os.makedirs('a/b'); open('a/b/c', 'w').write('1'); os.chmod('a/b', 0); os.chmod('a', 0)",
        fetched=("a/b/c",),
    ),
    Attack("output without end", "[os.write(1, b'x' * 65536) for _ in range(800)]"),
    Attack(
        "words without end on both lines",
        "[(os.write(1, b'\\xff' * 4096), os.write(2, b'\\0' * 4096)) for _ in range(2000)]",
    ),
)
