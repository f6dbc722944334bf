"""After the computer's room: processes, memory, disk, names. Each only once the limit that stops it was proved."""

from __future__ import annotations

from tests.box.escapes.attack import Attack

ATTACKS = (
    Attack(
        "fork without end",
        """
        made = 0
        try:
            while True:
                if os.fork() == 0:
                    time.sleep(20)
                    os._exit(0)
                made += 1
        except BlockingIOError:
            print('stopped at', made)
        os.kill(-1, signal.SIGKILL)
        """,
        "stopped at",
        limit="processes",
    ),
    Attack(
        "forks that fork",
        """
        print('forking', flush=True)
        until = time.time() + 1
        while time.time() < until:
            try:
                os.fork()
            except OSError:
                pass
        """,
        "forking",
        limit="processes",
    ),
    Attack(
        "threads without end",
        """
        try:
            while True:
                threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
        except RuntimeError as error:
            print('stopped:', error, flush=True)
        os._exit(0)
        """,
        "stopped:",
        limit="processes",
    ),
    Attack(
        "memory without end",
        """
        kept = []
        try:
            while True:
                kept.append(bytearray(b'x') * (16 << 20))
        except MemoryError:
            print('stopped at', len(kept), 'pieces of memory')
        """,
        "of memory",
        limit="memory",
    ),
    Attack(
        "memory of many processes",
        """
        for _ in range(8):
            if os.fork() == 0:
                kept = bytearray(b'x') * (150 << 20)
                time.sleep(20)
        time.sleep(20)
        """,
        "MB of memory",
        limit="memory",
    ),
    Attack(
        "memory in files without a name",
        "attempt(lambda: os.memfd_create('x'))",
        "denied PermissionError",
    ),
    Attack(
        "memory that is shared and then let go but for a page",
        """
        import mmap
        attempt(lambda: mmap.mmap(-1, 100 << 20))
        """,
        "denied PermissionError",
    ),
    Attack(
        "files that only memory leads to",
        """
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, *[ctypes.c_size_t] * 5]
        for number in range(6):
            fd = os.open('hidden', os.O_RDWR | os.O_CREAT)
            os.unlink('hidden')
            os.posix_fallocate(fd, 0, 150 << 20)
            assert libc.mmap(None, 4096, 1, 1, fd, 0) != 2**64 - 1
            os.close(fd)
        time.sleep(20)
        """,
        "MB to disk",
        limit="disk",
    ),
    Attack(
        "one file without end",
        """
        try:
            with open('big', 'wb') as file:
                while True:
                    file.write(bytes(1 << 20))
        except OSError as error:
            print('stopped:', error)
        """,
        "stopped:",
        limit="disk",
    ),
    Attack(
        "many files without end",
        """
        for number in range(100):
            with open(f'big{number}', 'wb') as file:
                file.write(bytes(60 << 20))
        """,
        "MB to disk",
        limit="disk",
    ),
    Attack(
        "names without end",
        """
        print('tried', flush=True)
        number = 0
        while True:
            if number % 1000 == 0:
                os.mkdir(str(number))
                os.chdir(str(number))
            os.close(os.open(f'n{number}', os.O_CREAT))
            number += 1
        """,
        limit="disk",
        time_s=2,
        ends_by_time=True,  # a slow disk makes names more slowly than their limit allows
    ),
    Attack(
        "descriptors without end",
        """
        kept = []
        try:
            while True:
                kept.append(socket.socketpair())
        except OSError as error:
            print('stopped:', error)
        """,
        "stopped:",
        limit="descriptors",
    ),
    Attack(
        "work without end",
        """
        print('tried', flush=True)
        while True:
            pass
        """,
        "tried",
        limit="time",
        time_s=1.5,
        ends_by_time=True,
    ),
)
