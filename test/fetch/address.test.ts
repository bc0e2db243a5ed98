import { describe, expect, test } from "bun:test";
import { isAllowedAddress, parseAddress, parseCidrs } from "../../src/fetch/address.ts";
import { cidrs } from "./client-for.ts";

describe("without ranges opened on purpose", () => {
  const table: [address: string, isPublic: boolean, why: string][] = [
    ["1.1.1.1", true, "an ordinary address"],
    ["9.255.255.255", true, "below 10/8"],
    ["11.0.0.0", true, "above 10/8"],
    ["172.15.255.255", true, "below 172.16/12"],
    ["172.16.0.0", false, "first private"],
    ["172.31.255.255", false, "last private"],
    ["172.32.0.0", true, "above 172.16/12"],
    ["168.63.129.16", false, "a metadata service in public space"],
    ["223.255.255.255", true, "last unicast"],
    ["224.0.0.0", false, "multicast"],
    ["255.255.255.255", false, "broadcast"],
    ["2606:4700:4700::1111", true, "an ordinary address"],
    ["2001:200::", true, "above the protocol assignments"],
    ["2001:1ff:ffff::1", false, "protocol assignments"],
    ["2001::7f00:1", false, "Teredo"],
    ["2002:808:808::1", false, "6to4 even of a public address"],
    ["64:ff9b::808:808", false, "NAT64 even of a public address"],
    ["::ffff:8.8.8.8", false, "mapped even of a public address"],
    ["fe80::1", false, "link-local"],
    ["1fff:ffff::", false, "below 2000::/3"],
    ["4000::", false, "above 2000::/3"],
    ["fe80::1%eth0", false, "a zone is no part of an address"],
    ["127.0.0.1.", false, "no address"],
    ["1.1.1", false, "no address"],
    ["0x1.1.1.1", false, "no address"],
    ["1.1.1.256", false, "no address"],
    ["0001.1.1.1", false, "no address"],
    ["", false, "no address"],
  ];
  test.each(table)("%s: %p (%s)", (address, isPublic) => {
    expect(isAllowedAddress(address, [])).toBe(isPublic);
  });
});

describe("parseAddress", () => {
  const table: [text: string, bytes: number[] | null][] = [
    ["1.2.3.4", [1, 2, 3, 4]],
    ["::", new Array(16).fill(0)],
    ["::1", [...new Array(15).fill(0), 1]],
    ["1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
    ["::ffff:1.2.3.4", [...new Array(10).fill(0), 255, 255, 1, 2, 3, 4]],
    ["1:2:3:4:5:6:7::", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0]],
    ["1:2:3:4:5:6:7:8:9", null],
    ["1::2::3", null],
    ["1:2:3:4:5:6:7:8::", null],
    ["1.2.3.4::", null],
    ["::1.2.3.4:5", null],
    ["12345::", null],
    [":1", null],
    ["1:2:3", null],
  ];
  test.each(table)("%s", (text, bytes) => {
    expect(parseAddress(text)).toEqual(bytes);
  });
});

describe("opened ranges", () => {
  test("are read from a list", () => {
    const parsed = parseCidrs("127.0.0.0/8, 10.1.2.3 fd00::/8");
    expect(parsed.kind === "parsed" && parsed.cidrs.map((cidr) => cidr.bits)).toEqual([8, 32, 8]);
    expect(parseCidrs("").kind).toBe("parsed");
  });

  test.each([
    "127.0.0.0/33",
    "127.0.0/8",
    "::/129",
    "localhost",
    "1.2.3.4/8/8",
    "1.2.3.4/-1",
    "/8",
  ])("%s is no range", (entry) => {
    expect(parseCidrs(`10.0.0.0/8,${entry}`)).toEqual({ kind: "invalid", entry });
  });

  test("let just their own through", () => {
    const opened = cidrs("127.0.1.0/24,10.128.0.0/9,fd00:1::/32");
    expect(isAllowedAddress("127.0.1.255", opened)).toBe(true);
    expect(isAllowedAddress("127.0.2.0", opened)).toBe(false);
    expect(isAllowedAddress("10.127.255.255", opened)).toBe(false);
    expect(isAllowedAddress("10.128.0.0", opened)).toBe(true);
    expect(isAllowedAddress("fd00:1::5", opened)).toBe(true);
    expect(isAllowedAddress("fd00:2::5", opened)).toBe(false);
    expect(isAllowedAddress("::ffff:127.0.1.1", opened)).toBe(false);
    expect(isAllowedAddress("8.8.8.8", opened)).toBe(true);
  });
});
