import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useWords, words } from '../language/language.tsx'
import { useRowFields } from '../parts/row-fields.tsx'
import { RupiahInput } from '../parts/rupiah-input.tsx'
import { MethodAndChannel } from '../routing/method-and-channel.tsx'
import type { FeeRuleDraft } from './fee-rule-drafts.ts'
import classes from './fee-rule-row.module.css'
import { PercentInput } from './percent-input.tsx'

const text = words({
  en: {
    method_type: 'Method',
    channel: 'Channel',
    percent_bps: 'Percentage',
    fixed: 'Fixed part',
    min: 'Minimum',
    max: 'Maximum',
    tax_bps: 'Tax (PPN)',
    none: 'None',
    rule: (number: number) => `Fee ${number}`,
    remove: (number: number) => `Remove fee ${number}`,
  },
  id: {
    method_type: 'Metode',
    channel: 'Kanal',
    percent_bps: 'Persentase',
    fixed: 'Bagian tetap',
    min: 'Minimum',
    max: 'Maksimum',
    tax_bps: 'Pajak (PPN)',
    none: 'Tanpa',
    rule: (number: number) => `Biaya ${number}`,
    remove: (number: number) => `Hapus biaya ${number}`,
  },
})

const fields = ['method_type', 'channel', 'percent_bps', 'fixed', 'min', 'max', 'tax_bps'] as const
type Field = (typeof fields)[number]

type Given = {
  rule: FeeRuleDraft
  index: number
  // biome-ignore lint/suspicious/noExplicitAny: the type that Mantine's form returns
  inputProps: (field: Field) => any
  /**
   * The error message that applies to the whole rule and not to a single field, or undefined if there is no
   * such error.
   */
  error: string | undefined
  onRemove: () => void
}

export function FeeRuleRow({ rule, index, inputProps, error: errorOfRow, onRemove }: Given) {
  const t = useWords(text)
  const number = index + 1
  const { of, errors } = useRowFields({
    fields,
    labels: t,
    inputProps,
    labelClass: classes.label,
    errorOfRow,
  })
  return (
    <li className={classes.rule}>
      <fieldset aria-label={t.rule(number)} className={classes.fields}>
        <MethodAndChannel provider={null} rule={rule} of={of} />
        <PercentInput placeholder="0" {...of('percent_bps')} />
        <RupiahInput placeholder="0" {...of('fixed')} />
        <RupiahInput placeholder={t.none} {...of('min')} />
        <RupiahInput placeholder={t.none} {...of('max')} />
        <PercentInput placeholder="0" {...of('tax_bps')} />
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={t.remove(number)}
          title={t.remove(number)}
          onClick={onRemove}
        >
          <IconX size={16} />
        </ActionIcon>
      </fieldset>
      {errors}
    </li>
  )
}
