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
        """
        for number in range(8):
            fd = os.memfd_create(str(number))
            for _ in range(150):
                os.write(fd, bytes(1 << 20))
        time.sleep(20)
        """,
        "MB of memory",
        limit="memory",
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
        time_s=4,
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
