import type { Availability } from '../../../shared/commerce/product.ts'

/** Name, brand, whole dollars, kind, and its availability if that is not in_stock. */
export type Row = readonly [string, string, number, string, Availability?]

/** An attribute of variants, with the surcharge of each value in whole dollars. */
export interface Option {
  name: 'size' | 'color'
  values: readonly string[]
  surcharge?: Readonly<Record<string, number>>
}

/** Google's and OpenAI's attributes of clothing and shoes. */
export interface Apparel {
  /** A number of Google's taxonomy. */
  google_product_category: '1604' | '187'
  gender: 'unisex'
  age_group: 'adult'
  /** If it is not an option. */
  color?: string
}

export interface Department {
  category: string
  /** The prefix of the SKUs. */
  code: string
  /** Every product's description ends with two of these. */
  details: readonly string[]
  rows: readonly Row[]
  apparel?: Apparel
  /** The options of a product; none if the list is empty. */
  optionsOf: (name: string, index: number) => readonly Option[]
}

const PALETTES = [
  ['Pine', 'Slate'],
  ['Rust', 'Charcoal'],
  ['Moss', 'Ink'],
  ['Sand', 'Storm Blue'],
] as const

const LENGTH: Option = { name: 'size', values: ['Regular', 'Long'], surcharge: { Long: 20 } }

/** The assortment, in the order of the catalog. */
export const DEPARTMENTS: readonly Department[] = [
  {
    category: 'Clothing',
    apparel: { google_product_category: '1604', gender: 'unisex', age_group: 'adult' },
    code: 'CL',
    details: [
      'The cut leaves room for a layer beneath and moves with you under a pack.',
      'Seams lie flat where straps and hip belts sit, so that no stitch rubs on a long day.',
      'The fabric is finished without PFAS and dries overnight on a line.',
      'Wash it at 30 degrees and it keeps its shape; we repair it for as long as we stock the fabric.',
    ],
    optionsOf: (_, index) => [
      { name: 'size', values: ['S', 'M', 'L'] },
      { name: 'color', values: PALETTES[index % PALETTES.length] ?? PALETTES[0] },
    ],
    rows: [
      ['Skarn Rain Jacket', 'Tarnside', 179, 'A three-layer shell with a hood that fits a helmet'],
      ['Skarn Rain Trousers', 'Tarnside', 129, 'Waterproof trousers with full-length side zips'],
      ['Hollin Fleece Pullover', 'Brackenfell', 79, 'A grid fleece that warms at rest and vents'],
      ['Hollin Fleece Vest', 'Brackenfell', 65, 'A sleeveless mid layer for cool, dry mornings'],
      [
        'Cirrus Down Jacket',
        'Karrow',
        249,
        'An 800-fill down jacket for long belays and cold camps',
      ],
      ['Cirrus Down Vest', 'Karrow', 169, 'The down of the Cirrus jacket where the core needs it'],
      [
        'Wether Merino Base Layer',
        'Brackenfell',
        85,
        'A 200-gram merino top worn next to the skin',
      ],
      ['Wether Merino Leggings', 'Brackenfell', 75, 'Merino leggings with a soft, wide waistband'],
      [
        'Scree Trekking Trousers',
        'Tarnside',
        99,
        'Stretch trousers with reinforced knees and seat',
      ],
      ['Scree Trekking Shorts', 'Tarnside', 69, 'Quick-drying shorts with a gusset for high steps'],
      [
        'Lomond Softshell Jacket',
        'Vaska',
        149,
        'A windproof softshell that breathes on the way up',
      ],
      ['Gale Wind Shirt', 'Vaska', 89, 'A 90-gram wind shirt that hides in a fist'],
      [
        'Fernhill Flannel Shirt',
        'Brackenfell',
        59,
        'Brushed organic cotton for the drive and the fire',
      ],
      ['Sunward Hooded Shirt', 'Vaska', 55, 'A light sun shirt rated UPF 50 with thumb loops'],
      ['Polar Watch Parka', 'Karrow', 329, 'A synthetic parka for standing still in deep cold'],
      ['Ember Insulated Skirt', 'Vaska', 95, 'A padded skirt that goes over leggings or trousers'],
      ['Rove Travel Chinos', 'Vaska', 79, 'Chinos with a zipped pocket that a passport fits'],
      ['Squall Poncho', 'Tarnside', 49, 'A rain poncho that covers its wearer and the pack'],
      ['Northing Anorak', 'Karrow', 139, 'A pull-on smock with a map pocket across the chest'],
      ['Dawn Patrol Bib', 'Karrow', 219, 'Ski-touring bibs with wide thigh vents', 'backorder'],
    ],
  },
  {
    category: 'Tents & Shelters',
    code: 'TS',
    details: [
      'It was tried through three winters on the west coast before it came into the shop.',
      'Every part can be bought singly, so that one lost piece never ends a trip.',
      'It packs into a sack that opens along its side, and weighs what the label says.',
      'Colours are muted for wild camps, and reflective marks show the way back at night.',
    ],
    optionsOf: () => [],
    rows: [
      ['Arete 1 Tent', 'Lumo Camp', 289, 'A 1.1-kilogram solo tent that stands on a narrow ledge'],
      ['Arete 2 Tent', 'Lumo Camp', 379, 'A two-person tent with two doors and two porches'],
      ['Arete 3 Tent', 'Lumo Camp', 449, 'A three-person tent that still fits one backpack'],
      ['Meadow 4 Family Tent', 'Brackenfell', 399, 'A four-person tent with room to stand up in'],
      [
        'Meadow 6 Family Tent',
        'Brackenfell',
        549,
        'Two bedrooms and a porch for wet boots between',
      ],
      ['Skald Tunnel Tent', 'Tarnside', 529, 'A storm-proof tunnel with a porch to cook in'],
      ['Skald Expedition Dome', 'Tarnside', 799, 'A four-season dome for snow loads and ridges'],
      ['Feather Tarp 3x3', 'Vaska', 119, 'A square silnylon tarp with nineteen guy points'],
      ['Feather Tarp 3x4', 'Vaska', 139, 'A tarp that keeps four people and their dinner dry'],
      ['Hush Bivy', 'Vaska', 149, 'A breathable bivy bag with a hooped head end'],
      ['Canopy Hammock', 'Lumo Camp', 89, 'A hammock for two with an integrated bug net'],
      ['Canopy Hammock Straps', 'Lumo Camp', 29, 'Wide daisy-chain straps that spare the bark'],
      [
        'Footprint for Arete 2',
        'Lumo Camp',
        45,
        'A groundsheet cut a little smaller than the tent',
      ],
      ['Footprint for Meadow 4', 'Brackenfell', 55, 'A tough groundsheet for gravel camp sites'],
      ['Sundial Beach Shelter', 'Vaska', 79, 'A pop-up shelter with UPF 50 fabric on three sides'],
      [
        'Outpost Canvas Tent',
        'Brackenfell',
        899,
        'A cotton bell tent with a port for a stove pipe',
      ],
      ['Titan Peg Set', 'Karrow', 35, 'Eight V-shaped pegs that hold in sand and frozen ground'],
      ['Storm Guy Line Kit', 'Karrow', 19, 'Twenty metres of reflective cord with six tensioners'],
      ['Trekking Pole Shelter', 'Karrow', 259, 'A pyramid pitched on two poles', 'preorder'],
      ['Porch Extension', 'Brackenfell', 129, 'An extra room that zips to Meadow', 'out_of_stock'],
    ],
  },
  {
    category: 'Backpacks',
    code: 'BP',
    details: [
      'Recycled 210-denier nylon takes years of rock and train floors without a hole.',
      'Buckles are of one size across the range, and are replaced without any sewing.',
      'Straps have loops for their loose ends, so that nothing dangles or catches in the brush.',
      'It is guaranteed for the life of the fabric, and repaired in our own workshop.',
    ],
    optionsOf: () => [],
    rows: [
      ['Traverse 20 Daypack', 'Hollin Peak', 79, 'A 20-litre pack for a day on well-made paths'],
      ['Traverse 28 Daypack', 'Hollin Peak', 99, 'A 28-litre pack with room for a rope and lunch'],
      ['Traverse 35 Pack', 'Hollin Peak', 129, 'A 35-litre pack for a weekend from hut to hut'],
      ['Traverse 45 Pack', 'Hollin Peak', 159, 'A 45-litre pack for three nights with a tent'],
      ['Cairn 55 Trekking Pack', 'Karrow', 199, 'A 55-litre pack with an adjustable back length'],
      ['Cairn 65 Trekking Pack', 'Karrow', 229, 'A 65-litre pack for two weeks without resupply'],
      ['Cairn 80 Expedition Pack', 'Karrow', 279, 'An 80-litre hauler with aluminium stays'],
      ['Swift 12 Running Vest', 'Vaska', 119, 'A 12-litre vest that does not bounce at a run'],
      ['Swift 5 Running Vest', 'Vaska', 89, 'A 5-litre vest for races, with two soft flasks'],
      ['Commute 22 Backpack', 'Brackenfell', 109, 'A roll-top pack with a padded laptop sleeve'],
      ['Couloir 32 Ski Pack', 'Tarnside', 169, 'A ski pack with a separate avalanche tool pocket'],
      [
        'Crag 40 Climbing Pack',
        'Tarnside',
        149,
        'A haul pack that opens flat at the foot of a crag',
      ],
      ['Little Fox 10', 'Brackenfell', 45, 'A 10-litre pack for children from four to eight'],
      ['Little Fox Carrier', 'Brackenfell', 259, 'A child carrier with a sun roof and a stand'],
      ['Drift 30 Dry Bag', 'Lumo Camp', 39, 'A welded 30-litre dry bag with a roll closure'],
      ['Drift Duffel 60', 'Lumo Camp', 129, 'A 60-litre duffel that is worn as a backpack'],
      ['Drift Duffel 90', 'Lumo Camp', 149, 'A 90-litre duffel for a whole expedition kit'],
      ['Pack Rain Cover', 'Hollin Peak', 29, 'A bright cover for packs of 40 to 65 litres'],
      ['Hip Belt Pocket', 'Hollin Peak', 19, 'A pocket for snacks and a phone', 'out_of_stock'],
      ['Lumbar 6 Waist Pack', 'Vaska', 59, 'A six-litre waist pack for short outings'],
    ],
  },
  {
    category: 'Sleeping',
    code: 'SL',
    details: [
      'It is compressed for the walk and stored loose at home in the cotton sack that comes with it.',
      'The fabric is soft and quiet, and stands up to a dog, a buckle and a washing machine.',
      'Weight and warmth are measured by an independent laboratory and printed on the label.',
      'We wash, refill and patch what we sell, so that it serves for twenty years.',
    ],
    optionsOf: (name) => (name.includes('Sleeping Bag') ? [LENGTH] : []),
    rows: [
      ['Polaris 0 Sleeping Bag', 'Karrow', 329, 'A down mummy for nights at freezing point'],
      ['Polaris -10 Sleeping Bag', 'Karrow', 429, 'A down mummy for ten degrees below zero'],
      ['Polaris -20 Sleeping Bag', 'Karrow', 549, 'A winter down mummy with a draught collar'],
      ['Heath 5 Sleeping Bag', 'Brackenfell', 119, 'A synthetic bag for three mild seasons'],
      ['Heath 10 Sleeping Bag', 'Brackenfell', 89, 'A summer bag that opens into a blanket'],
      ['Heath Wide Sleeping Bag', 'Brackenfell', 139, 'A roomy bag for those who turn at night'],
      ['Ember Sleeping Bag', 'Tarnside', 199, 'A treated-down bag for damp valleys'],
      ['Stargazer Sleeping Bag', 'Tarnside', 269, 'A 700-gram bag for nights without a tent'],
      ['Alder Quilt', 'Vaska', 289, 'A down quilt with straps that lock it to the mat'],
      ['Cloudrest Air Mat', 'Lumo Camp', 149, 'An insulated mat eight centimetres thick'],
      ['Cloudrest Air Mat Wide', 'Lumo Camp', 169, 'The insulated mat for broad shoulders'],
      ['Cloudrest Double Mat', 'Lumo Camp', 259, 'One mat for two sleepers, with two valves'],
      ['Fold Foam Mat', 'Lumo Camp', 45, 'A closed-cell mat that folds in a moment'],
      ['Basecamp Self-Inflating Mat', 'Brackenfell', 109, 'A thick mat for camps reached by car'],
      ['Silk Liner', 'Vaska', 69, 'A silk liner that adds three degrees of warmth'],
      ['Cotton Travel Liner', 'Vaska', 29, 'A liner for huts and hostels with a pillow pocket'],
      ['Nimbus Pillow', 'Lumo Camp', 39, 'An inflatable pillow with a brushed cover'],
      ['Nimbus Pillow Large', 'Lumo Camp', 49, 'A larger pillow for side sleepers', 'preorder'],
      ['Mat Pump Sack', 'Lumo Camp', 35, 'A sack that fills a mat in three breaths'],
      ['Mat Repair Kit', 'Lumo Camp', 15, 'Patches and glue for every air mat we sell'],
    ],
  },
  {
    category: 'Camp Kitchen',
    code: 'CK',
    details: [
      'It nests with the other pieces of the range, so that a kitchen takes the room of one pot.',
      'Everything that touches food is free of BPA and can go into the dishwasher at home.',
      'It was tested at minus fifteen degrees, with gloves on and in the dark.',
      'Spare parts are on our shelves, and take five minutes and a coin to fit.',
    ],
    optionsOf: () => [],
    rows: [
      ['Kestrel Gas Stove', 'Lumo Camp', 59, 'A 75-gram stove that screws onto a canister'],
      [
        'Kestrel Remote Stove',
        'Lumo Camp',
        109,
        'A low, wide stove that burns canisters upside down',
      ],
      ['Hearth Two-Burner Stove', 'Brackenfell', 149, 'A table stove with a lid that blocks wind'],
      ['Whistle Boil System', 'Lumo Camp', 139, 'Half a litre of boiling water in two minutes'],
      ['Solo Titanium Pot', 'Karrow', 69, 'A 750-millilitre pot that weighs as much as a plum'],
      ['Duo Cook Set', 'Karrow', 89, 'Two pots and a pan of hard-anodised aluminium'],
      ['Crew Cook Set', 'Karrow', 129, 'Three pots and a kettle for a party of six'],
      ['Camp Kettle', 'Brackenfell', 45, 'A flat 1.2-litre kettle with a spout that pours true'],
      ['Spindle Coffee Press', 'Brackenfell', 39, 'A press that makes two cups and is its own mug'],
      ['Enamel Mug', 'Brackenfell', 15, 'A steel mug with two coats of enamel'],
      ['Enamel Plate Set', 'Brackenfell', 49, 'Four deep plates that survive a fall on rock'],
      ['Long Spoon', 'Karrow', 12, 'A titanium spoon that reaches the bottom of the bag'],
      ['Insulated Bottle 750', 'Vaska', 39, 'A steel bottle that keeps tea hot overnight'],
      ['Insulated Bottle 1000', 'Vaska', 45, 'A litre of hot soup for a day in the snow'],
      ['Soft Flask 500', 'Vaska', 22, 'A soft bottle that shrinks as it empties'],
      ['Spring Water Filter', 'Tarnside', 49, 'A hollow-fibre filter for a thousand litres'],
      ['Base Gravity Filter', 'Tarnside', 129, 'Four litres of clean water without pumping'],
      ['Frost Soft Cooler', 'Brackenfell', 119, 'A soft cooler that holds ice for two days'],
      ['Windscreen', 'Lumo Camp', 25, 'A folding screen that halves the time to boil', 'backorder'],
      ['Fire Steel', 'Tarnside', 18, 'A striker that lights wet tinder twelve thousand times'],
    ],
  },
  {
    category: 'Footwear',
    apparel: {
      google_product_category: '187',
      gender: 'unisex',
      age_group: 'adult',
      color: 'Granite',
    },
    code: 'FW',
    details: [
      'Our own staff walked six hundred kilometres in it before we ordered the first pair.',
      'It dries overnight beside a stove without growing hard or losing its shape.',
      'It fits true to size; between two sizes, take the larger one for thick socks.',
      'Order your usual size: we exchange unworn pairs free of charge within thirty days.',
    ],
    optionsOf: () => [{ name: 'size', values: ['8', '9', '10', '11'] }],
    rows: [
      [
        'Boulderfield Mid Boot',
        'Tarnside',
        189,
        'A waterproof boot for rough paths and light packs',
      ],
      ['Boulderfield High Boot', 'Tarnside', 229, 'A leather boot that carries heavy loads'],
      ['Glacier Mountain Boot', 'Tarnside', 349, 'An insulated boot that takes step-in crampons'],
      ['Pathway Hiking Shoe', 'Hollin Peak', 119, 'A low shoe for day walks and city weekends'],
      ['Pathway Waterproof Shoe', 'Hollin Peak', 149, 'The Pathway with a lining that stays dry'],
      ['Fell Runner Shoe', 'Vaska', 139, 'A running shoe with deep studs for mud and grass'],
      ['Ridge Runner Shoe', 'Vaska', 149, 'A cushioned shoe for long days on dry trails'],
      ['Approach Shoe', 'Karrow', 159, 'A sticky shoe for the walk to the climb and its start'],
      ['Gneiss Climbing Shoe', 'Karrow', 129, 'A flat climbing shoe for all-day comfort'],
      ['Gneiss Pro Climbing Shoe', 'Karrow', 169, 'A downturned shoe for steep, small holds'],
      ['River Sandal', 'Vaska', 89, 'A sandal that dries fast and holds in a current'],
      ['Camp Slipper', 'Lumo Camp', 49, 'A padded slipper with an outdoor sole'],
      ['Camp Clog', 'Lumo Camp', 39, 'A foam clog that clips to the outside of a pack'],
      ['Snow Boot', 'Brackenfell', 169, 'A felt-lined boot for shovelling and waiting'],
      ['Chelsea Trail Boot', 'Brackenfell', 179, 'A pull-on boot for farm tracks and taverns'],
      ['Gaiter Low', 'Tarnside', 39, 'A stretch gaiter that keeps gravel out of shoes'],
      ['Gaiter High', 'Tarnside', 59, 'A knee-high gaiter for snow and wet bracken'],
      ['Merino Hiking Sock', 'Brackenfell', 22, 'A cushioned merino sock without a toe seam'],
      ['Merino Liner Sock', 'Brackenfell', 16, 'A thin sock that lets the thick one slide'],
      ['Winter Overboot', 'Karrow', 139, 'An insulated cover for mountain boots', 'out_of_stock'],
    ],
  },
]
