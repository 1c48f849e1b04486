import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../../testing/any-text.ts'
import { compareNames, normaliseName, readName } from './names.ts'

const compare = (a: string, b: string) => compareNames(readName(a), readName(b))

test.each([
  ['Café Müller GmbH', 'cafe muller'],
  ["Levi's®", 'levis'],
  ['Marks & Spencer p.l.c.', 'marks and spencer'],
  ['Muster S.A.', 'muster'],
  ['H&M', 'h and m'],
  ['Miller & Co. KG', 'miller'],
  ['Ａｉｓｌｅ', 'aisle'],
  ['Яндекс.Маркет', 'яндекс маркет'],
  ['Co', 'co'],
  ['Weiß KGaA', 'weiss'],
  ['***', ''],
])('%s is %s', (name, normalised) => {
  expect(normaliseName(name)).toBe(normalised)
})

test.each([
  ['Aisle Outfitters', 'AISLE OUTFITTERS, Inc.', 'equal'],
  ['Aisle Outfitters', 'Aisle', 'variant'],
  ['Aisle Outfitters', 'aisleoutfitters.com', 'variant'],
  ['The Aisle Store', 'Aisle', 'variant'],
  ['Outfitters by Aisle', 'Aisle Outfitters', 'variant'],
  ['Aisle Outfitters', 'Borealis', 'conflict'],
  ['Aisle', 'Aisles', 'conflict'],
  ['Яндекс', 'Yandex', 'unknown'],
  ['PChome', '商店街', 'unknown'],
  ['Aisle', '', 'unknown'],
  ['360', '361', 'conflict'],
  ['OTTO Onlineshop', 'Otto Versand GmbH & Co KG', 'variant'],
  ['OTTO Möbel & Mode', 'Otto Versand', 'variant'],
  ['bike-discount.de Radsport', 'BikeDiscount', 'variant'],
  ['Müller', 'Mueller', 'equal'],
  ['Müller Drogerie', 'Mueller', 'variant'],
  ['Groß SE', 'Gross', 'equal'],
  ['Kiln Studio Berlin', 'Kiln | Handmade ceramics', 'variant'],
  ['Kiln Trading Ltd', 'Borealis Trading Ltd & Co', 'conflict'],
  ['H&M', 'M&S', 'conflict'],
  ['M&S', 'Marks & Spencer', 'conflict'],
  ['オークハウス', '株式会社オークハウス', 'variant'],
  ['オークハウス公式オンラインストア', 'オークハウス', 'variant'],
  ['橡木家居', '北京橡木家居有限公司', 'variant'],
  ['小米', '小米商城', 'variant'],
  ['무신사', '무신사스토어', 'variant'],
  ['บ้านไม้โอ๊ค', 'ร้านบ้านไม้โอ๊ค', 'variant'],
  ['株式会社オークハウス', '株式会社パインハウス', 'conflict'],
  ['米', '小米', 'conflict'],
  ['고', '곡물상점', 'conflict'],
  ['36', '360', 'conflict'],
  ['Łóżkowo', 'Lozkowo sp. z o.o.', 'variant'],
  ['Sønderhøj', 'Sonderhoj ApS', 'equal'],
  ['Sønderhøj', 'Soenderhoej', 'equal'],
  ['IŞIK', 'Işık Mobilya', 'variant'],
  ['Đông Hồ', 'Dong Ho', 'equal'],
  ['Mælk', 'Maelk', 'equal'],
] as const)('%s and %s: %s', (a, b, match) => {
  expect(compare(a, b)).toBe(match)
  expect(compare(b, a)).toBe(match)
})

const anyName = fc.oneof(
  anyText(),
  fc
    .array(
      fc.constantFrom('A', 'b.', 'Co', '&', ' ', 'GmbH', 'é', 'İ', 'S.A.', '’', 'ß', 'and', '.'),
    )
    .map((parts) => parts.join('')),
)

test('normalising twice changes nothing', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const once = normaliseName(name)
      expect(normaliseName(once)).toBe(once)
    }),
  )
})

test('comparing is symmetric, and a name equals itself', () => {
  fc.assert(
    fc.property(anyName, anyName, (a, b) => {
      expect(compare(a, b)).toBe(compare(b, a))
      if (normaliseName(a) !== '') expect(compare(a, a)).toBe('equal')
    }),
  )
})
