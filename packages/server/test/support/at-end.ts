// Closes what a test file opened. Vitest never calls an `afterAll` that is registered in a hook or a test, where most
// resources are opened.

const ends: (() => unknown)[] = []

/** Runs in reverse order. */
export const atEnd = (end: () => unknown): void => void ends.unshift(end)

export async function endAll(): Promise<void> {
  for (const end of ends.splice(0)) await end()
}
