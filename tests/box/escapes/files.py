"""After the host's files, and after the files of whoever comes next."""

from __future__ import annotations

from tests.box.escapes.attack import Attack

ATTACKS = (
    Attack("read a file by its path", "attempt(lambda: open(host['canary']).read())", "denied"),
    Attack("read a file by climbing up", "attempt(lambda: open('../' * 40 + host['canary'][1:]).read())", "denied"),
    Attack("read accounts and passwords", "[attempt(lambda: open(p).read()) for p in ('/etc/shadow', '/root/.netrc')]"),
    Attack(
        "look for canaries everywhere",
        """
        for folder, _, names in os.walk('/'):
            for name in names:
                if name in ('canary', 'secret.csv', 'key', 'ready.json'):
                    attempt(lambda: (folder, open(os.path.join(folder, name)).read(200)))
        """,
    ),
    Attack(
        "reach another box's inputs",
        "attempt(lambda: open(host['other']).read()); attempt(lambda: os.listdir(host['boxes']))",
        "denied",
    ),
    Attack(
        "leave files where all boxes look",
        """
        for folder in ('/dev/shm', '/tmp', '/var/tmp', '/run', '/usr/lib', sys.prefix, host['folder']):
            attempt(lambda: open(os.path.join(folder, 'left-behind'), 'w').write('x'))
        """,
    ),
    Attack(
        "poison the Python of later boxes",
        """
        import sysconfig
        for path in (sysconfig.get_paths()['purelib'], os.path.dirname(os.__file__), os.path.dirname(sys.executable)):
            attempt(lambda: open(os.path.join(path, 'sitecustomize.py'), 'w').write('import os'))
            attempt(lambda: os.chmod(path, 0o777))
            attempt(lambda: os.rename(path, path + '.old'))
        """,
        "denied",
    ),
    Attack("write a file of the host", "attempt(lambda: open(host['victim'], 'w').write('spoiled'))", "denied"),
    Attack("preload into everybody", "attempt(lambda: open('/etc/ld.so.preload', 'w').write('x'))", "denied"),
    Attack(
        "climb out through /proc",
        """
        for path in ('/proc/1/root', '/proc/self/root', '/proc/1/cwd', f"/proc/{host['server']}/root"):
            attempt(lambda: open(path + host['canary']).read())
        """,
        "denied",
    ),
    Attack(
        "climb out through an open folder",
        """
        for fd in range(3, 64):
            for up in ('..', '../' * 20 + host['canary'][1:]):
                attempt(lambda: os.read(os.open(up, os.O_RDONLY, dir_fd=fd), 99))
        """,
        "denied",
    ),
    Attack(
        "change the root",
        """
        os.mkdir('jail')
        attempt(lambda: os.chroot('jail'))
        for _ in range(20):
            attempt(lambda: os.chdir('..'))
        attempt(lambda: open('.' + host['canary']).read())
        """,
        "denied",
    ),
    Attack(
        "mount the host's disk",
        """
        attempt(lambda: libc.mount(b'/dev/vda', b'/tmp', b'ext4', 0, None) or 'mounted')
        attempt(lambda: libc.mount(b'proc', b'/tmp', b'proc', 0, None) or 'mounted')
        attempt(lambda: libc.umount2(b'/home/user', 2) or 'unmounted')
        attempt(lambda: libc.mount(None, b'/usr', None, 0x1020, None) or 'writable')
        attempt(lambda: open('/usr/new', 'w'))
        """,
        "denied",
    ),
    Attack(
        "make the disk's own device",
        "[attempt(lambda: os.mknod('disk', 0o60666, os.makedev(m, n))) for m, n in ((254, 0), (8, 0), (1, 1))]",
        "denied",
    ),
    Attack(
        "read memory and kernel",
        """
        for path in ('/dev/mem', '/dev/kmsg', '/proc/kcore', '/proc/kallsyms', '/dev/vda', '/sys/kernel'):
            attempt(lambda: open(path, 'rb').read(64))
        attempt(lambda: open('/proc/sys/kernel/core_pattern', 'w').write('|/bin/sh'))
        """,
        "denied",
    ),
    Attack(
        "open files by handle, past the mounts",
        """
        x86 = os.uname().machine == 'x86_64'
        handle = ctypes.create_string_buffer(struct.pack('Ii', 8, 1) + struct.pack('QQ', 2, 0))
        attempt(lambda: call(304 if x86 else 265, os.open('/', os.O_PATH), handle, 0))
        """,
        "denied",
    ),
    Attack("link a file of the host to home", "attempt(lambda: os.link(host['victim'], 'linked'))", "denied"),
    Attack(
        "programs that become root",
        """
        for words in (['su', '-c', 'cat /etc/shadow'], ['sudo', '-n', 'id'], ['mount', '-a'], ['passwd', '-S']):
            attempt(lambda: subprocess.run(words, capture_output=True, text=True, input=''))
        print(open('/proc/self/status').read())
        """,
        "NoNewPrivs:\t1",
    ),
    Attack(
        "a program of one's own that becomes root",
        """
        import shutil
        shutil.copy('/bin/bash', 'become')
        attempt(lambda: os.chown('become', 0, 0))
        attempt(lambda: os.chmod('become', 0o6755))
        attempt(lambda: os.setxattr('become', 'security.capability', bytes(20)))
        print(subprocess.run(['./become', '-p', '-c', 'id -u'], capture_output=True, text=True).stdout != '0\\n')
        """,
        "True",
    ),
)
