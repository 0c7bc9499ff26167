// Turns to check a password. Each check takes a thread for some 40 ms; all of them run at once would leave none to sign
// the tokens of sessions that are renewed.

import { fairTurns } from '../fair-turns.ts'

/** Of the four threads that Node has for such work. */
const RUNNING = 2
const WAITING = 64

export const withPasswordTurn = fairTurns({
  running: RUNNING,
  waiting: WAITING,
  what: 'too many passwords are being checked',
})
