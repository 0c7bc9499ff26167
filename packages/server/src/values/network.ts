import ipaddr from 'ipaddr.js'

/** Returns whether the text is an IP address, or a network in CIDR notation such as 10.0.0.0/8. */
export const isNetwork = (text: string): boolean => ipaddr.isValidCIDR(text) || ipaddr.isValid(text)
