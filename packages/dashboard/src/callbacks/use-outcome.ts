import { useWords } from '../language/language.tsx'
import { statusWords } from '../payments/payment-words.ts'
import { type CallbackStatus, callbackMeanings } from './callback-words.ts'
import { reasonOf, reasonWords } from './reason-words.ts'

/**
 * Returns a function that describes the result of a callback. If the dashboard does not know the given reason, the
 * function returns the reason untranslated.
 */
export function useOutcome(): (status: CallbackStatus, reason: string | null) => string {
  const meanings = useWords(callbackMeanings)
  const t = useWords(reasonWords)
  const statuses = useWords(statusWords)
  return (status, said) => {
    if (said === null) return meanings[status]
    const reason = reasonOf(said)
    switch (reason.kind) {
      case 'unchanged':
        return t.unchanged(statuses[reason.status])
      case 'no_payment':
        return reason.isMoneyKept ? t.money_kept : t.no_payment
      case 'other':
        return said
      default:
        return t[reason.kind]
    }
  }
}
