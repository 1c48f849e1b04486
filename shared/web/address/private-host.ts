/**
 * Names of one machine or a local network (RFC 6761, 6762, 8375, and ICANN's `internal`). A name of
 * one label has no address outside of its own network either.
 */
const LOCAL_NAME =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa)$|^[^.:[\]]+$/

/** Loopback, private, link-local, shared and unspecified addresses (RFC 6890). */
const LOCAL_V4 =
  /^(?:0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./
const LOCAL_V6 =
  /^\[(?:::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*|::ffff:(?:7f|a)[0-9a-f]{0,2}:.*)\]$/

/** Whether nothing on the public internet is reached by a host name, as `URL` writes it. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  if (host.startsWith('[')) return LOCAL_V6.test(host)
  return /^[\d.]+$/.test(host) ? LOCAL_V4.test(host) : LOCAL_NAME.test(host)
}
