import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import { useLanguage, useWords, words } from '../language/language.tsx'

const text = words({
  en: { dark: 'Dark mode', light: 'Light mode', other: 'Bahasa Indonesia' },
  id: { dark: 'Mode gelap', light: 'Mode terang', other: 'English' },
})

export function ThemeButton() {
  const t = useWords(text)
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme() === 'dark'
  return (
    <ActionIcon
      variant="subtle"
      size="lg"
      color="gray"
      aria-label={isDark ? t.light : t.dark}
      title={isDark ? t.light : t.dark}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <IconSun size={20} /> : <IconMoon size={20} />}
    </ActionIcon>
  )
}

export function LanguageButton() {
  const t = useWords(text)
  const [language, setLanguage] = useLanguage()
  const other = language === 'en' ? 'id' : 'en'
  return (
    <ActionIcon
      variant="subtle"
      size="lg"
      color="gray"
      aria-label={t.other}
      title={t.other}
      lang={other}
      onClick={() => setLanguage(other)}
    >
      <IconLanguage size={20} />
    </ActionIcon>
  )
}
