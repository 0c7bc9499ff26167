import { Group, Text, TextInput } from '@mantine/core'
import { IconAlertCircle, IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import classes from './branding.module.css'
import { colorIn, contrastOf } from './branding-draft.ts'

const text = words({
  en: {
    color: 'Color',
    hint: 'The background color behind your name, such as #0f766e. Leave this field empty for a neutral background.',
    choose: 'Choose a color',
    enough: (ratio: string) => `White text is easy to read: contrast ${ratio}:1`,
    tooLight: (ratio: string) =>
      `White text is hard to read. The contrast is ${ratio}:1 but must be at least 4.5:1. Choose a darker color.`,
  },
  id: {
    color: 'Warna',
    hint: 'Warna latar di belakang nama Anda, misalnya #0f766e. Kosongkan untuk latar belakang netral.',
    choose: 'Pilih warna',
    enough: (ratio: string) => `Teks putih mudah dibaca: kontras ${ratio}:1`,
    tooLight: (ratio: string) =>
      `Teks putih sulit dibaca: kontras ${ratio}:1, minimal 4,5:1. Pilih warna yang lebih gelap.`,
  },
})

type Given = { value?: string; onChange: (color: string) => void; error?: ReactNode }

/** A color input with a text field and the browser's color picker. It shows the contrast while the user chooses. */
export function ColorField({ value = '', onChange, error }: Given) {
  const t = useWords(text)
  const color = colorIn(value)
  return (
    <div>
      <TextInput
        label={t.color}
        description={t.hint}
        autoComplete="off"
        spellCheck={false}
        placeholder="#0f766e"
        value={value}
        onChange={event => onChange(event.currentTarget.value)}
        error={error}
        leftSectionPointerEvents="all"
        leftSectionWidth={44}
        leftSection={
          <input
            type="color"
            className={classes.picker}
            aria-label={t.choose}
            value={color ?? '#ffffff'}
            onChange={event => onChange(event.currentTarget.value)}
          />
        }
      />
      <div role="status">{color && !error && <Contrast color={color} />}</div>
    </div>
  )
}

function Contrast({ color }: { color: string }) {
  const t = useWords(text)
  const { count } = useFormat()
  const { ratio, isEnough } = contrastOf(color)
  const Sign = isEnough ? IconCheck : IconAlertCircle
  return (
    <Group gap={6} mt={6} wrap="nowrap" align="flex-start">
      <Sign size={18} className={isEnough ? classes.enough : classes.tooLight} aria-hidden />
      <Text size="sm">{isEnough ? t.enough(count(ratio)) : t.tooLight(count(ratio))}</Text>
    </Group>
  )
}
