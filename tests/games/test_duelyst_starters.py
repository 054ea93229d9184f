"""Every card of the six starter decks, played in a small scenario."""

import pytest

from games.duelyst_positions import act, position, told

# (what it is about, position, actions, what is then)
SCENES = [
    # Lyonar
    ("sunstone_bracers", {"hand": "sunstone_bracers"}, "play sunstone_bracers", {"a3": "general 3/25"}),
    ("true_strike", {"enemy": "hailstone_golem@e3", "hand": "true_strike"}, "play true_strike e3", {"e3": "hailstone_golem 4/4"}),
    ("tempest", {"own": "hailstone_golem@b3", "enemy": "phalanxar@e3", "hand": "tempest"}, "play tempest",
     {"b3": "hailstone_golem 4/4", "e3": "", "own": 23, "enemy": 23}),
    ("war_surge", {"own": "hailstone_golem@b3", "enemy": "phalanxar@e3", "hand": "war_surge"}, "play war_surge",
     {"b3": "hailstone_golem 5/7", "e3": "phalanxar 6/1", "a3": "general 2/25"}),
    ("windblade_adept", {"own": "windblade_adept@b3 windblade_adept@d3"}, "move b3 b4", {"b4": "windblade_adept 3/3", "d3": "windblade_adept 2/3"}),
    ("divine_bond", {"enemy": "hailstone_golem@e3-2", "hand": "divine_bond"}, "play divine_bond e3", {"e3": "hailstone_golem 8/4"}),
    ("martyrdom", {"own": "general@a3-10", "enemy": "general@i3-10 hailstone_golem@e3-2", "hand": "martyrdom"}, "play martyrdom e3",
     {"e3": "", "own": 15, "enemy": 19}),
    ("silverguard_knight", {"own": "silverguard_knight@b3"}, "", {"b3": "silverguard_knight 3/5", "keywords b3": {"provoke"}}),
    ("lysian_brawler", {"own": "lysian_brawler@b3", "enemy": "whistling_blade@e3"}, "move b3 d3, attack d3 e3, attack d3 e3", {"e3": "whistling_blade 2/7"}),
    ("saberspine_tiger", {"hand": "saberspine_tiger"}, "play saberspine_tiger b3, move b3 d3", {"d3": "saberspine_tiger 3/2"}),
    ("necroseer", {"own": "necroseer@b3-3", "enemy": "hailstone_golem@c3"}, "attack b3 c3", {"b3": "", "hand": 1}),
    ("facestriker", {"own": "facestriker@h3"}, "attack h3 i3", {"enemy": 17, "h3": "facestriker 4/4"}),
    # Songhai
    ("ghost_lightning", {"own": "phalanxar@b3", "enemy": "phalanxar@e3 hailstone_golem@e4", "hand": "ghost_lightning"}, "play ghost_lightning",
     {"b3": "phalanxar 6/1", "e3": "", "e4": "hailstone_golem 4/5", "enemy": 25}),
    ("inner_focus", {"own": "widowmaker@b3*", "hand": "inner_focus"}, "play inner_focus b3, attack b3 i3", {"enemy": 23}),
    ("bloodrage_mask", {"hand": "bloodrage_mask war_surge"}, "play bloodrage_mask, play war_surge", {"enemy": 24}),
    ("chakri_avatar", {"own": "chakri_avatar@b3", "hand": "war_surge"}, "play war_surge", {"b3": "chakri_avatar 3/4"}),
    ("kaido_assassin", {"own": "kaido_assassin@f3", "enemy": "hailstone_golem@e3"}, "attack f3 e3", {"e3": "hailstone_golem 4/3", "f3": "kaido_assassin 2/3"}),
    ("phoenix_fire", {"hand": "phoenix_fire"}, "play phoenix_fire i3", {"enemy": 22}),
    ("saberspine_seal", {"own": "phalanxar@b3", "hand": "saberspine_seal"}, "play saberspine_seal b3", {"b3": "phalanxar 9/1"}),
    ("killing_edge", {"own": "kaido_assassin@b3", "hand": "killing_edge"}, "play killing_edge b3, end turn", {"b3": "kaido_assassin 6/5", "hand": 3}),
    ("killing_edge without backstab", {"own": "phalanxar@b3", "hand": "killing_edge"}, "play killing_edge b3, end turn", {"b3": "phalanxar 10/3", "hand": 2}),
    ("widowmaker", {"own": "widowmaker@b3", "enemy": "hailstone_golem@h5"}, "attack b3 h5", {"h5": "hailstone_golem 4/4", "b3": "widowmaker 2/3"}),
    # Vetruvian
    ("blindscorch", {"enemy": "hailstone_golem@e3", "hand": "blindscorch"}, "play blindscorch e3", {"e3": "hailstone_golem 0/6"}),
    ("blindscorch ends", {"enemy": "hailstone_golem@e3", "hand": "blindscorch"}, "play blindscorch e3, end turn, end turn", {"e3": "hailstone_golem 4/6"}),
    ("scions_first_wish", {"own": "phalanxar@b3", "hand": "scions_first_wish"}, "play scions_first_wish b3", {"b3": "phalanxar 7/2", "hand": 1}),
    ("cosmic_flesh", {"own": "phalanxar@b3", "hand": "cosmic_flesh"}, "play cosmic_flesh b3", {"b3": "phalanxar 7/4", "keywords b3": {"provoke"}}),
    ("ethereal_obelysk", {"own": "ethereal_obelysk@c3"}, "end turn, end turn", {"count wind_dervish": 1, "c3": "ethereal_obelysk 0/6"}),
    ("pyromancer", {"own": "pyromancer@b3", "enemy": "hailstone_golem@d3 phalanxar@f3 phalanxar@f4"}, "attack b3 f3",
     {"d3": "hailstone_golem 4/4", "f3": "", "f4": "phalanxar 6/1", "enemy": 23, "b3": "pyromancer 2/1"}),
    ("scions_second_wish", {"own": "phalanxar@h3", "hand": "scions_second_wish"}, "play scions_second_wish h3, attack h3 i3",
     {"h3": "phalanxar 8/3", "enemy": 17}),
    ("staff_of_ykir", {"hand": "staff_of_ykir"}, "play staff_of_ykir", {"a3": "general 4/25"}),
    ("entropic_decay", {"enemy": "hailstone_golem@b3", "hand": "entropic_decay"}, "play entropic_decay b3", {"b3": ""}),
    ("wind_shrike", {"own": "wind_shrike@b3", "enemy": "hailstone_golem@i5"}, "move b3 h5, attack h5 i5", {"h5": "", "i5": "hailstone_golem 4/2", "hand": 1}),
    # Abyssian
    ("horn_of_the_forsaken", {"own": "general@h3", "hand": "horn_of_the_forsaken"}, "play horn_of_the_forsaken, attack h3 i3",
     {"count wraithling": 1, "enemy": 23}),
    ("daemonic_lure", {"enemy": "hailstone_golem@e3", "hand": "daemonic_lure"}, "play daemonic_lure e3, choose b3", {"e3": "", "b3": "hailstone_golem 4/5"}),
    ("daemonic_lure that kills", {"enemy": "phalanxar@e3", "hand": "daemonic_lure"}, "play daemonic_lure e3, end turn", {"e3": "", "count phalanxar": 0}),
    ("gloomchaser", {"hand": "gloomchaser"}, "play gloomchaser b3", {"b3": "gloomchaser 2/2", "count wraithling": 1}),
    ("soulshatter_pact", {"own": "phalanxar@b3", "hand": "soulshatter_pact"}, "play soulshatter_pact", {"b3": "phalanxar 8/1", "a3": "general 2/25"}),
    ("soulshatter_pact ends", {"own": "phalanxar@b3", "hand": "soulshatter_pact"}, "play soulshatter_pact, end turn", {"b3": "phalanxar 6/1"}),
    ("shadow_watcher", {"own": "shadow_watcher@b1", "enemy": "phalanxar@e3 phalanxar@e4", "hand": "ghost_lightning"}, "play ghost_lightning",
     {"b1": "shadow_watcher 4/4"}),
    ("wraithling_swarm", {"hand": "wraithling_swarm"}, "play wraithling_swarm b3, choose c3, choose d3", {"b3": "wraithling 1/1", "c3": "wraithling 1/1", "d3": "wraithling 1/1"}),
    ("wraithling_swarm declined", {"hand": "wraithling_swarm"}, "play wraithling_swarm b3, choose nothing, end turn", {"count wraithling": 1}),
    ("shadow_nova", {"enemy": "hailstone_golem@e3 phalanxar@f4", "hand": "shadow_nova"}, "play shadow_nova e3, end turn", {"e3": "hailstone_golem 4/5", "f4": ""}),
    ("dark_transformation", {"enemy": "hailstone_golem@e3", "hand": "dark_transformation"}, "play dark_transformation e3", {"e3": "wraithling 1/1"}),
    # Magmar
    ("dampening_wave", {"own": "phalanxar@d3", "enemy": "stormmetal_golem@e3", "hand": "dampening_wave"}, "play dampening_wave e3, attack d3 e3",
     {"d3": "phalanxar 6/1", "e3": "stormmetal_golem 8/2"}),
    ("dance_of_dreams", {"own": "phalanxar@d3 phalanxar@d4", "hand": "dance_of_dreams tempest"}, "play dance_of_dreams, play tempest", {"hand": 2}),
    ("greater_fortitude", {"own": "phalanxar@b3", "hand": "greater_fortitude"}, "play greater_fortitude b3", {"b3": "phalanxar 8/3"}),
    ("natural_selection", {"own": "widowmaker@b3", "enemy": "hailstone_golem@e3 kaido_assassin@e4", "hand": "natural_selection"}, "play natural_selection e4",
     {"e4": "", "b3": "widowmaker 2/3"}),
    ("earth_walker", {"own": "earth_walker@b3"}, "end turn, end turn", {"b3": "earth_walker 4/4"}),
    ("primordial_gazer", {"own": "phalanxar@b3", "hand": "primordial_gazer"}, "play primordial_gazer b2, choose b3", {"b3": "phalanxar 8/3", "b2": "primordial_gazer 2/2"}),
    ("primordial_gazer alone", {"hand": "primordial_gazer"}, "play primordial_gazer b2, end turn", {"b2": "primordial_gazer 2/2"}),
    ("adamantite_claws", {"hand": "adamantite_claws"}, "play adamantite_claws", {"a3": "general 6/25"}),
    ("plasma_storm", {"own": "widowmaker@b3 hailstone_golem@b4", "enemy": "kaido_assassin@e3 phalanxar@e4", "hand": "plasma_storm"}, "play plasma_storm",
     {"b3": "", "b4": "hailstone_golem 4/6", "e3": "", "e4": "phalanxar 6/1"}),
    # Vanar
    ("flash_freeze", {"enemy": "hailstone_golem@b3", "hand": "flash_freeze"}, "play flash_freeze b3, end turn", {"b3": "hailstone_golem 4/5"}),
    ("aspect_of_the_ravager", {"enemy": "hailstone_golem@b3-3", "hand": "aspect_of_the_ravager"}, "play aspect_of_the_ravager b3", {"b3": "fox_ravager 3/3"}),
    ("chromatic_cold", {"enemy": "primus_shieldmaster@b3", "hand": "chromatic_cold"}, "play chromatic_cold b3",
     {"b3": "primus_shieldmaster 3/5", "keywords b3": set()}),
    ("crystal_cloaker", {"own": "crystal_cloaker@e3"}, "move e3 f3", {"f3": "crystal_cloaker 4/3"}),
    ("crystal_cloaker in the middle", {"own": "crystal_cloaker@d3"}, "move d3 e3", {"e3": "crystal_cloaker 2/3"}),
    ("frostfire", {"own": "crystal_cloaker@b3", "hand": "frostfire"}, "play frostfire b3", {"b3": "crystal_cloaker 5/6"}),
    ("frostfire on others", {"own": "phalanxar@b3", "hand": "frostfire"}, "play frostfire b3", {"b3": "phalanxar 9/1"}),
    ("fenrir_warmaster", {"own": "fenrir_warmaster@b3", "enemy": "hailstone_golem@c3"}, "attack b3 c3", {"b3": "ghost_wolf 3/2", "c3": "hailstone_golem 4/3"}),
    ("snowpiercer", {"hand": "snowpiercer"}, "play snowpiercer", {"a3": "general 5/25"}),
    ("avalanche", {"own": "hailstone_golem@d3 hailstone_golem@e3", "enemy": "phalanxar@a5", "hand": "avalanche"}, "play avalanche",
     {"d3": "hailstone_golem 4/2", "e3": "hailstone_golem 4/6", "a5": "", "own": 21, "enemy": 25}),
    ("arctic_displacer", {"hand": "arctic_displacer"}, "play arctic_displacer h5", {"h5": "arctic_displacer 10/4"}),
    ("young_flamewing", {"own": "young_flamewing@a1"}, "move a1 i5", {"i5": "young_flamewing 5/4"}),
]  # fmt: skip


@pytest.mark.parametrize(("setting", "actions", "expected"), [scene[1:] for scene in SCENES], ids=[scene[0] for scene in SCENES])
def test_a_card_does_what_it_says(setting, actions, expected):
    world = position(**setting)
    act(world, *(action for action in actions.split(", ") if action))
    told(world, expected)
