import type { Outputs } from '../api/trpc.ts'

export type Account = Outputs['providers']['list']['items'][number]
