// Switches to light mode while the page is printed. A style sheet cannot do this, because the color scheme is an
// attribute of the document.

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
