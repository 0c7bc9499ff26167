import { useState } from 'react'
import { useWords, words } from '../language/language.tsx'
import { RupiahInput } from '../parts/rupiah-input.tsx'

const text = words({ en: { amount: 'Amount' }, id: { amount: 'Jumlah' } })

type Given = { amount: string | undefined; onAmount: (cents: string | undefined) => void }

/** A filter for an exact amount. The list is filtered when the input loses the focus or the user presses Enter. */
export function AmountFilter({ amount, onAmount }: Given) {
  const t = useWords(text)
  const saved = amount === undefined ? null : Number(amount)
  const [typed, setTyped] = useState(saved)
  const [seen, setSeen] = useState(saved)
  if (saved !== seen) {
    setSeen(saved)
    setTyped(saved)
  }
  const apply = () => {
    if (!Number.isNaN(typed)) onAmount(typed ? String(typed) : undefined)
  }
  return (
    <RupiahInput
      label={t.amount}
      value={typed}
      onChange={setTyped}
      onBlur={apply}
      onKeyDown={event => event.key === 'Enter' && apply()}
      w={150}
    />
  )
}
