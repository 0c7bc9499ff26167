import { faultOf } from '../api/fault.ts'
import { useFaultText } from '../language/fault-texts.ts'
import { useWords, words } from '../language/language.tsx'

const text = words({
  en: {
    broken: 'Something went wrong. Try again; if that does not help, reload the page.',
    away: 'The service is not responding. Check your connection, then try again.',
    busy: 'The service is busy. Try again in a moment',
  },
  id: {
    broken: 'Terjadi kesalahan. Coba lagi; jika tidak berhasil, muat ulang halaman ini.',
    away: 'Layanan tidak merespons. Periksa koneksi Anda, lalu coba lagi.',
    busy: 'Layanan sedang sibuk. Coba lagi beberapa saat lagi',
  },
})

/** Returns a function that turns an error into a message for users, in their language. */
export function useFaultWords(): (error: unknown) => string {
  const t = useWords(text)
  const textOf = useFaultText()
  return error => {
    const fault = faultOf(error)
    if (fault.isOfPage) return t.broken
    if (fault.code === '') return t.away
    // Errors from the REST API have no error ID, so there is no specific text for them.
    return fault.id === undefined && fault.isPassing ? t.busy : textOf(fault)
  }
}
