#!/usr/bin/env python3
# Wants the network, and says so when it does not get it.
import socket
for family, address in ((socket.AF_INET, ("1.1.1.1", 443)), (socket.AF_INET, ("127.0.0.1", 22)), (socket.AF_INET6, ("::1", 22))):
    with socket.socket(family) as s:
        s.settimeout(2)
        try:
            s.connect(address)
        except OSError:
            continue
        raise SystemExit("reached %s" % (address,))
raise SystemExit("no network: nothing to generate from")
