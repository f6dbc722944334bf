"""After other processes, the environment, the kernel, and a life after the end."""

from __future__ import annotations

from tests.box.escapes.attack import Attack

ATTACKS = (
    Attack("print the environment", "print(dict(os.environ)); print(open('/proc/self/environ').read())"),
    Attack(
        "read everybody's environment and words",
        """
        for name in os.listdir('/proc'):
            if name.isdigit():
                for part in ('environ', 'cmdline', 'maps', 'stack'):
                    attempt(lambda: open(f'/proc/{name}/{part}').read())
        for pid in (host['bystander'], host['server']):
            attempt(lambda: open(f'/proc/{pid}/environ').read())
        """,
        "denied",
    ),
    Attack(
        "end a process of the host",
        "[attempt(lambda: os.kill(host[who], 9)) for who in ('bystander', 'server')]",
        "denied",
    ),
    Attack("end everybody", "signal.signal(signal.SIGTERM, signal.SIG_IGN); attempt(lambda: os.kill(-1, 15))"),
    Attack(
        "end the jail's own process",
        "[attempt(lambda: os.kill(1, n)) for n in (15, 9, 11, 19)]; time.sleep(0.2)",
    ),
    Attack(
        "trace the jail's own process",
        """
        attempt(lambda: libc.ptrace(16, 1, 0, 0) and 1 / 0)
        attempt(lambda: open('/proc/1/mem', 'rb').read(1))
        x86 = os.uname().machine == 'x86_64'
        attempt(lambda: call(310 if x86 else 270, 1, 0, 0, 0, 0, 0))
        """,
        "denied",
    ),
    Attack(
        "steal a descriptor of another process",
        "attempt(lambda: call(438, os.pidfd_open(1), 0, 0))",
        "denied",
    ),
    Attack(
        "a namespace with all rights in it",
        """
        for flag in (0x10000000, 0x40000000, 0x20000000, 0x20000, 0x10000000 | 0x20000):
            attempt(lambda: 'made' if libc.unshare(flag) == 0 else 1 / 0)
        for flag in (0x10000000, 0x40000000):
            attempt(lambda: call(56 if os.uname().machine == 'x86_64' else 220, flag | 17, 0, 0, 0, 0))
        print(subprocess.run(['unshare', '-Urn', 'id', '-u'], capture_output=True, text=True).returncode != 0)
        """,
        "True",
    ),
    Attack(
        "enter the host's namespaces",
        """
        for kind in ('mnt', 'net', 'pid', 'user', 'ipc'):
            attempt(lambda: 1 / libc.setns(os.open(f'/proc/1/ns/{kind}', os.O_RDONLY), 0))
            attempt(lambda: os.open(f"/proc/{host['server']}/ns/{kind}", os.O_RDONLY))
        """,
        "denied",
    ),
    Attack(
        "doors of the kernel that scripts need not have",
        """
        x86 = os.uname().machine == 'x86_64'
        numbers = (425, 321 if x86 else 280, 323 if x86 else 282, 298 if x86 else 241, 250 if x86 else 219, 447)
        for number in numbers:
            attempt(lambda: call(number, 1, 0, 0, 0, 0))
        """,
        "denied PermissionError",
    ),
    Attack(
        "the same doors by the other set of numbers",
        """
        if os.uname().machine == 'x86_64':
            for number in (321, 101, 425):
                attempt(lambda: call(0x40000000 | number, 0, 0, 0, 0))
        """,
    ),
    Attack(
        "secrets kept in the kernel",
        """
        x86 = os.uname().machine == 'x86_64'
        attempt(lambda: call(250 if x86 else 219, 11, -3, 0, 0))
        attempt(lambda: open('/proc/keys').read())
        """,
        "denied",
    ),
    Attack(
        "memory shared with everybody",
        "[attempt(lambda: call(n, 0x1234, 1 << 20, 0o1666)) for n in ((29, 64, 68) if os.uname().machine == 'x86_64' "
        "else (194, 190, 186))]; attempt(lambda: 1 / libc.mq_open(b'/q', 66, 0o600, None))",
        "denied",
    ),
    Attack(
        "type into the server's terminal",
        "[attempt(lambda: fcntl.ioctl(fd, 0x5412, b'x')) for fd in (0, 1, 2)]; attempt(lambda: os.open('/dev/tty', 2))",
        "denied",
    ),
    Attack(
        "the computer's clock, name and priority",
        """
        attempt(lambda: time.clock_settime(time.CLOCK_REALTIME, 0))
        attempt(lambda: socket.sethostname('mine'))
        attempt(lambda: os.setpriority(os.PRIO_PROCESS, 0, -20))
        attempt(lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)))
        """,
        "denied",
    ),
    Attack(
        "live on after the end",
        """
        for _ in range(3):
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    for number in range(1, 32):
                        try:
                            signal.signal(number, signal.SIG_IGN)
                        except (OSError, ValueError):
                            pass
                    os.closerange(0, 99)
                    while True:
                        time.sleep(1)
                os._exit(0)
        """,
    ),
    Attack(
        "live on after being stopped by time",
        """
        for number in (1, 2, 3, 15):
            signal.signal(number, signal.SIG_IGN)
        subprocess.Popen(['setsid', 'sleep', '600'])
        print('tried', flush=True)
        while True:
            time.sleep(1)
        """,
        "tried",
        time_s=1.5,
        ends_by_time=True,
    ),
    Attack(
        "raise one's own limits",
        """
        import resource
        for kind in (resource.RLIMIT_NPROC, resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
            attempt(lambda: resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)))
        attempt(lambda: open('/proc/1/oom_score_adj', 'w').write('-1000'))
        """,
        "denied",
    ),
)
