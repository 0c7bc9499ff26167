// Closes the resources that a test file opened. A new `afterAll` cannot do this, because most resources are
// opened in a hook or a test, where Vitest would never call it.

const ends: (() => unknown)[] = []

/** Registers a function that runs at the end of the test file. The functions run in reverse order. */
export const atEnd = (end: () => unknown): void => void ends.unshift(end)

export async function endAll(): Promise<void> {
  for (const end of ends.splice(0)) await end()
}
