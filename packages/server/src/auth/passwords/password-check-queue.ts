// Schedules password checks and the hashing of new passwords fairly. Each check or hash occupies one of Node's four
// worker threads for about 40 ms. At most three of them run at a time, so that one thread stays free to sign access
// tokens.

import { type RoundRobinQueue, roundRobinQueue } from './round-robin-queue.ts'

const what = 'too many passwords are being checked or set'
const unknownDevices = roundRobinQueue({ running: 2, waiting: 64, what })
/**
 * The queue for new passwords, which are hashed, and for password checks of logins from known devices. Unknown devices
 * have a separate queue, so an attacker's logins cannot fill this one.
 */
const knownDevices = roundRobinQueue({ running: 1, waiting: 32, what })

export const passwordCheckQueue = (isKnown: boolean): RoundRobinQueue =>
  isKnown ? knownDevices : unknownDevices
