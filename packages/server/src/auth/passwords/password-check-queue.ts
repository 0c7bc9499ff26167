// Schedules password checks and the hashing of new passwords fairly. Each check or hash occupies one of Node's four
// worker threads for about 40 ms. At most three of them run at a time, so that one thread stays free to sign access
// tokens.

import { type RoundRobinQueue, roundRobinQueue } from './round-robin-queue.ts'

const what = 'too many passwords are being checked or set'
const unknownDevices = roundRobinQueue({ running: 2, waiting: 64, what })
/**
 * The queue for hashing new passwords and for checking passwords of logins from known devices. Unknown devices have a
 * separate queue, so an attacker's logins cannot fill this queue.
 */
const knownDevices = roundRobinQueue({ running: 1, waiting: 32, what })

export const passwordCheckQueue = (isKnown: boolean): RoundRobinQueue =>
  isKnown ? knownDevices : unknownDevices
