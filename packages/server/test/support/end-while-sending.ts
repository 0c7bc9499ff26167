/**
 * Runs `run` with a function that never finishes sending, and returns as soon as this function is called. The test
 * continues as if the sending process had ended at this moment.
 */
export async function endWhileSending(run: (send: () => Promise<void>) => Promise<void>): Promise<void> {
  const isSending = Promise.withResolvers<void>()
  const hanging = () => {
    isSending.resolve()
    return new Promise<void>(() => {})
  }
  run(hanging).catch(isSending.reject)
  await isSending.promise
}
