// Defines the schema for lists of IP addresses and networks. The server and the forms in the browser use the
// same schema.

import { z } from 'zod'
import { rule } from '../faults/rule.ts'

const networks = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]
const isNetwork = (given: string): boolean => networks.some(each => each.safeParse(given).success)

/** The schema for a list of IP addresses and networks in CIDR notation. */
export const networkList = z
  .array(
    z
      .string()
      .trim()
      .max(64)
      .refine(isNetwork, rule('network_malformed', { example: '192.0.2.0/24' })),
  )
  .max(100)
