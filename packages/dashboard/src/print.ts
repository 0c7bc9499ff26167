// Switches to light mode while the page is printed. The color scheme is an attribute of the document, which a style
// sheet cannot change.

import './print.css'

const { dataset } = document.documentElement
let onScreen: string | undefined

window.addEventListener('beforeprint', () => {
  onScreen = dataset.mantineColorScheme
  dataset.mantineColorScheme = 'light'
})
window.addEventListener('afterprint', () => {
  if (onScreen) dataset.mantineColorScheme = onScreen
})
