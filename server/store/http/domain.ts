/** The domain that Aisle knows a host by: an event with a port in it is rejected. */
export const domainOfHost = (host: string): string => host.replace(/:\d+$/, '')
