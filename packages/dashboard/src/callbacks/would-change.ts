import type { CallbackStatus } from './callback-words.ts'

/**
 * Returns whether reprocessing a callback would change the payment or the recorded status of the callback.
 */
export const wouldChange = (status: CallbackStatus, rehearsed: CallbackStatus): boolean =>
  rehearsed === 'applied' || (status !== 'applied' && rehearsed !== status)
