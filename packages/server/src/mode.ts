// A key's type decides the environment: live money, or the providers' sandboxes.

export const modes = ['live', 'test'] as const
export type Mode = (typeof modes)[number]
