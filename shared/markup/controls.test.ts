import { expect, test } from 'vitest'
import { readPage } from './page.ts'

const read = (html: string) => readPage(html, 'https://shop.example/boot').controls

test.each([
  '<button><svg><path d="M0 0"></path></svg></button>',
  '<button><img src="x.png" alt=""></button>',
  '<button><i class="icon"></i> </button>',
  '<div role="button"></div>',
  '<input type="image" src="x.png">',
  '<input type="button">',
])('%s has no name', (html) => {
  expect(read(html).unnamed_buttons).toHaveLength(1)
})

test.each([
  '<button>Buy</button>',
  '<button aria-label="Close"><svg></svg></button>',
  '<button title="Close"></button>',
  '<button><img src="x.png" alt="Close"></button>',
  '<button><svg><title>Close</title></svg></button>',
  '<button><svg aria-label="Close"></svg></button>',
  '<button><span>Add <b>to</b> basket</span></button>',
  '<input type="submit">',
  '<input type="image" alt="Search">',
  '<input type="button" value="Buy">',
  '<button hidden></button>',
  '<div style="display: none"><button></button></div>',
  '<div aria-hidden="true"><button></button></div>',
  '<template><button></button></template>',
  '<style>.menu { display: none }</style><div class="menu"><button></button></div>',
  '<style>.off { display: none }</style><button><span class="off">Close</span></button>',
])('%s has a name, or is hidden', (html) => {
  expect(read(html).unnamed_buttons).toEqual([])
})

test.each([
  '<a href="/basket"></a>',
  '<a href="/basket"><svg><path d="M0 0"></path></svg></a>',
  '<a href="/boot"><img src="x.png" alt=""></a>',
  '<a href="/basket"><i aria-hidden="true">basket</i></a>',
  '<span role="link"></span>',
])('%s is a link without a name', (html) => {
  expect(read(html).unnamed_links).toHaveLength(1)
})

test.each([
  '<a href="/basket">Basket</a>',
  '<a href="/basket" aria-label="Basket"><svg></svg></a>',
  '<a href="/basket" title="Basket"></a>',
  '<a href="/boot"><img src="x.png" alt="Fell Boot"></a>',
  '<a href="/boot"><img src="x.png" alt="" title="Fell Boot"></a>',
  '<a href="/basket"><i class="icon" title="Basket"></i></a>',
  '<a href="/basket"><svg><title>Basket</title></svg></a>',
  '<a href="/boot"><h2>Fell Boot</h2></a>',
  '<a href="/basket" hidden></a>',
  '<a href="/basket" aria-hidden="true"></a>',
  '<a id="top"></a>',
  '<a href="#sizes" role="tab"></a>',
])('%s is a link with a name, hidden, or none', (html) => {
  expect(read(html).unnamed_links).toEqual([])
})

test.each([
  '<input name="q">',
  '<select><option>41</option></select>',
  '<textarea></textarea>',
  '<label></label><input>',
  '<label for="other">Size</label><select id="size"></select>',
  '<p>Size</p><select id="size"></select>',
])('%s has no label', (html) => {
  expect(read(html).unnamed_fields).toHaveLength(1)
})

test.each([
  '<label>Size <select><option>41</option></select></label>',
  '<label for="size">Size</label><select id="size"></select>',
  '<select id="size"></select><label for="size">Size</label>',
  '<input aria-label="Search">',
  '<input aria-labelledby="size">',
  '<input title="Search">',
  '<input placeholder="Search">',
  '<input type="hidden" name="id">',
  '<input type="checkbox">',
  '<input disabled>',
])('%s has a label, or is not filled in', (html) => {
  expect(read(html).unnamed_fields).toEqual([])
})

test.each([
  ['<label>Email <input type="email"></label>', 1],
  ['<label>Phone <input type="tel"></label>', 1],
  ['<label>Postcode <input name="postcode"></label>', 1],
  ['<label>Email <input type="email" autocomplete="email"></label>', 0],
  ['<label>Email <input type="email" autocomplete="off"></label>', 0],
  // A search for a place is named so by its label alone.
  ['<label>City <input type="search" name="city"></label>', 0],
  ['<label>Find a store: city or postcode <input name="q"></label>', 0],
  ['<label>Size <input name="size"></label>', 0],
])('%s: %d without autocomplete', (html, count) => {
  expect(read(html).without_autocomplete).toHaveLength(count)
})

test('what is found is named by its tag, ten of each', () => {
  const { buttons, unnamed_buttons } = read('<button id="b" class="icon"></button>'.repeat(30))
  expect(buttons).toBe(30)
  expect(unnamed_buttons).toHaveLength(10)
  expect(unnamed_buttons[0]).toBe('<button id="b" class="icon">')
})

test('a page of controls in one another is read in time', () => {
  const deep = '<div role="button">x'.repeat(50_000)
  expect(read(deep).unnamed_buttons).toEqual([])
  expect(read('<label>a<input>'.repeat(50_000)).fields).toBeLessThanOrEqual(5_000)
})
