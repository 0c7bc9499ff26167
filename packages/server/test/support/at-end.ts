// What a test file opened ends with it. Vitest never calls an `afterAll` that a hook or a test registers, and that is
// where most is opened.

const ends: (() => unknown)[] = []

/** The latest first. */
export const atEnd = (end: () => unknown): void => void ends.unshift(end)

export async function endAll(): Promise<void> {
  for (const end of ends.splice(0)) await end()
}
