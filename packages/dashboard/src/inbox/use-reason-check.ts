import { useFaultText } from '../language/fault-texts.ts'

/** Returns a check for a reason that the merchant can read. The API does not require it, but the dashboard does. */
export function useReasonCheck(): (reason: string) => string | null {
  const faultText = useFaultText()
  return reason => (reason.trim() === '' ? faultText({ id: 'required', params: {}, message: '' }) : null)
}
