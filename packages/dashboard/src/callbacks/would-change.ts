import type { CallbackStatus } from './callback-words.ts'

/** Whether applying a callback once more does anything: to its payment, or to what is written down of the callback. */
export const wouldChange = (status: CallbackStatus, rehearsed: CallbackStatus): boolean =>
  rehearsed === 'applied' || (status !== 'applied' && rehearsed !== status)
