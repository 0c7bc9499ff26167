// Closes the resources that a test file opened. An `afterAll` next to each resource would not work:
// most resources are opened in a hook or a test, and Vitest never calls an `afterAll` that is
// registered there.

const ends: (() => unknown)[] = []

/** Registers a function that runs at the end of the test file. The functions run in reverse order. */
export const atEnd = (end: () => unknown): void => void ends.unshift(end)

export async function endAll(): Promise<void> {
  for (const end of ends.splice(0)) await end()
}
