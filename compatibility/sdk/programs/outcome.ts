// Separate from the program, which compiles only where the tarball is installed.

export type Place = { baseUrl: string; apiKey: string; sandboxUrl: string; webhookSecret: string }

export type Outcome = { account: string; status: string; event: string; amount: number; forgery: string }
