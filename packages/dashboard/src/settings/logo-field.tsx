import { logoTypes } from '@gapura/server/branding-input'
import { Button, FileButton, Group, Input } from '@mantine/core'
import { IconTrash, IconUpload } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { useFaultText } from '../language/fault-texts.ts'
import { useWords, words } from '../language/language.tsx'
import classes from './branding.module.css'
import { dataUrl, faultOfFile, isLogoType, type Logo, logoIn } from './branding-draft.ts'

const text = words({
  en: {
    logo: 'Logo',
    hint: 'A PNG, JPEG or WebP image of at most 100 kB and 1024 × 1024 pixels. The logo is shown on a white background.',
    choose: 'Choose a picture',
    replace: 'Replace the picture',
    remove: 'Remove',
    current: 'The chosen logo',
  },
  id: {
    logo: 'Logo',
    hint: 'Gambar PNG, JPEG, atau WebP, maksimal 100 kB dan 1024 × 1024 piksel. Logo ditampilkan di atas warna putih.',
    choose: 'Pilih gambar',
    replace: 'Ganti gambar',
    remove: 'Hapus',
    current: 'Logo yang dipilih',
  },
})

type Given = { value?: Logo | null; onChange: (logo: Logo | null) => void; error?: ReactNode }

/** A logo input. The form shows the chosen picture immediately and sends it when the user saves the form. */
export function LogoField({ value = null, onChange, error }: Given) {
  const t = useWords(text)
  const faultText = useFaultText()
  const [refused, setRefused] = useState<string>()
  // Clears the file input after each choice. Otherwise, the input would report no change if the user chose the same
  // file again.
  const forget = useRef<() => void>(null)
  async function choose(file: File) {
    forget.current?.()
    const fault = faultOfFile(file)
    setRefused(fault && faultText({ ...fault, message: '' }))
    if (!fault && isLogoType(file.type)) onChange(await logoIn(file, file.type))
  }
  return (
    <Input.Wrapper label={t.logo} description={t.hint} error={refused ?? error} labelElement="div">
      <Group gap="sm" mt={6}>
        {value && <img className={classes.logo} src={dataUrl(value)} alt={t.current} />}
        <FileButton
          accept={logoTypes.join(',')}
          resetRef={forget}
          onChange={file => file && void choose(file)}
        >
          {given => (
            <Button {...given} variant="default" leftSection={<IconUpload size={16} />}>
              {value ? t.replace : t.choose}
            </Button>
          )}
        </FileButton>
        {value && (
          <Button
            variant="default"
            leftSection={<IconTrash size={16} />}
            onClick={() => {
              setRefused(undefined)
              onChange(null)
            }}
          >
            {t.remove}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  )
}
