import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'

const text = words({
  en: { see: 'What the provider sent about it' },
  id: { see: 'Yang dikirim penyedia tentangnya' },
})

export function CallbacksLink({ paymentCode }: { paymentCode: string }) {
  const t = useWords(text)
  return (
    <TextLink to="/callbacks" search={{ payment_id: paymentCode }}>
      {t.see}
    </TextLink>
  )
}
