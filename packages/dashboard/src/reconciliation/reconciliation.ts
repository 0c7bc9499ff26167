// Streams a day's reconciliation: progress, differences as they are found, and a summary.

import type { SentReconciliationLine as Line } from '@gapura/server'
import { queryOptions, experimental_streamedQuery as streamedQuery } from '@tanstack/react-query'
import { linesIn, piecesOf } from '../api/lines.ts'
import { rest } from '../api/rest.ts'
import { RestError } from '../api/rest-error.ts'
import type { Inputs } from '../api/trpc.ts'

type Of<Type extends Line['type']> = Omit<Extract<Line, { type: Type }>, 'type'>
export type Difference = Of<'difference'>
export type Summary = Of<'summary'>
export type Question = Inputs['reports']['reconciliation'] & { date: string }
export type Source = Summary['source']
export type Kind = Difference['kind']

export type Told = { progress: Of<'progress'>; differences: Difference[]; summary: Summary | undefined }

export const nothingTold: Told = {
  progress: { done: 0, total: 0 },
  differences: [],
  summary: undefined,
}

/**
 * Adds the lines that have arrived from the reconciliation's stream to the result. Throws RestError if the stream
 * reports an error, because the result would then be incomplete.
 */
export function withLines(told: Told, lines: readonly Line[]): Told {
  const broken = lines.find(line => line.type === 'error')
  if (broken) throw new RestError(broken.error)
  const found = lines.filter(line => line.type === 'difference')
  return {
    progress: lines.findLast(line => line.type === 'progress') ?? told.progress,
    differences: found.length > 0 ? [...told.differences, ...found] : told.differences,
    summary: lines.find(line => line.type === 'summary') ?? told.summary,
  }
}

export const pathOf = (question: Question): string =>
  `/v1/reports/reconciliation?${new URLSearchParams(question as Record<string, string>)}`

/**
 * Runs a reconciliation. If the user leaves the page, the stream is cancelled, and the service stops its status
 * inquiries.
 */
export const reconciliationQuery = (question: Question) =>
  queryOptions({
    queryKey: ['reconciliation', question],
    queryFn: streamedQuery<Line[], Told>({
      streamFn: async ({ signal }) => {
        const { body } = await rest(pathOf(question), {
          headers: { accept: 'application/x-ndjson' },
          signal,
        })
        return linesIn<Line>(piecesOf(body as ReadableStream<Uint8Array>))
      },
      reducer: withLines,
      initialValue: nothingTold,
    }),
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  })
