"""Whose request it is, as far as limits go."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from starlette.types import Scope


def client_address(scope: Scope) -> str:
    """Whom the limits count: an IPv4 address, or the /64 network that one IPv6 user has whole."""
    client = scope.get("client")
    if client is None:
        return "unknown"
    try:
        address = ip_address(client[0].partition("%")[0])
    except ValueError:
        return str(client[0])[:64]
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address, 64), strict=False))
