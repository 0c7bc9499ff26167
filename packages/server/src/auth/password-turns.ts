// Turns to check a password. Each check takes a thread for some 40 ms, of four that Node has for such work. If all of them
// checked passwords, none would be left to sign the tokens of sessions that are renewed.

import { type FairTurns, fairTurns } from '../fair-turns.ts'

const what = 'too many passwords are being checked'
const unknown = fairTurns({ running: 2, waiting: 64, what })
/** Apart, so that strangers cannot fill the room of known devices. */
const known = fairTurns({ running: 1, waiting: 32, what })

export const passwordTurns = (isKnown: boolean): FairTurns => (isKnown ? known : unknown)
