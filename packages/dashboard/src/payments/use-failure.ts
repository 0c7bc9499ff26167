import { useFormat } from '../format/format.ts'
import { useWords } from '../language/language.tsx'
import { failureOf, failureWords } from './failure-words.ts'

/**
 * Returns a function that translates a failure reason into the reader's language. An unknown reason is returned
 * unchanged.
 */
export function useFailureWords(): (reason: string) => string {
  const t = useWords(failureWords)
  const format = useFormat()
  return reason => {
    const failure = failureOf(reason)
    switch (failure.kind) {
      case 'amount':
        return t.amount(format.money(failure.expected), format.money(failure.received))
      case 'reported':
        return t.reported(failure.status)
      case 'fraud':
        return t.fraud
      case 'sender':
        return t.sender
      case 'corrected':
        return t.corrected(failure.of, failure.id)
      case 'own':
        return t.own[failure.name]
      case 'other':
        return failure.reason
    }
  }
}
