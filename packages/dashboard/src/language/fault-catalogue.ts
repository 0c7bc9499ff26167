import type { FaultParams, TranslatedFaultId } from '@gapura/server/faults'
import type { Formats } from '../format/format.ts'

/** The error texts of one language. Each error of the service has a text, which may use only the error's parameters. */
export type FaultTexts = {
  readonly [Id in TranslatedFaultId]: string | ((params: FaultParams<Id>, formats: Formats) => string)
}
