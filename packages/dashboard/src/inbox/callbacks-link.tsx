import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'

const text = words({
  en: { see: 'View callbacks' },
  id: { see: 'Lihat callback' },
})

export function CallbacksLink({ paymentCode }: { paymentCode: string }) {
  const t = useWords(text)
  return (
    <TextLink to="/callbacks" search={{ payment_id: paymentCode }}>
      {t.see}
    </TextLink>
  )
}
