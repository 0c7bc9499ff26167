import type { FaultParams, TranslatedFaultId } from '@gapura/server/faults'
import type { Formats } from '../format/format.ts'

/** The error texts in one language. Each service error has a text, which may use only the error's parameters. */
export type FaultTexts = {
  readonly [Id in TranslatedFaultId]: string | ((params: FaultParams<Id>, formats: Formats) => string)
}
