import type { Outputs } from '../api/trpc.ts'
import type { Tone } from '../parts/tag.tsx'

export type ApiRequest = Outputs['requests']['list']['items'][number]

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Returns whether the text is a status such as `404`, or a status class such as `4xx`. */
export const isStatus = (text: string): boolean => /^[1-5](xx|\d\d)$/.test(text)

export const toneOf = ({ status }: Pick<ApiRequest, 'status'>): Tone =>
  status >= 500 ? 'bad' : status >= 400 ? 'doubt' : 'good'
