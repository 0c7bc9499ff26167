import { passwordCheckQueue } from '../../src/auth/passwords/password-check-queue.ts'

/**
 * Lets all new passwords, and password checks of known devices, wait until the returned function is called. The queue is
 * shared by the whole process.
 */
export function holdNewPasswords(): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const turn = passwordCheckQueue(true)({ source: 'test', account: 'test' }, () => promise)
  return () => {
    resolve()
    return turn
  }
}
