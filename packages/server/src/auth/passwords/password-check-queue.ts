// Schedules password checks and the hashing of new passwords fairly. Each of them occupies one of Node's four worker
// threads for about 40 ms. At most three run at a time, so that one thread stays free to sign access tokens.

import { type RoundRobinQueue, roundRobinQueue } from './round-robin-queue.ts'

const what = 'too many passwords are being checked or set'
const unknownDevices = roundRobinQueue({ running: 2, waiting: 64, what })
/**
 * Logins from known devices and new passwords have a separate queue, so that an attacker's logins from unknown devices
 * cannot fill it.
 */
const knownDevices = roundRobinQueue({ running: 1, waiting: 32, what })

export const passwordCheckQueue = (isKnown: boolean): RoundRobinQueue =>
  isKnown ? knownDevices : unknownDevices
